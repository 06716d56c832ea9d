import type pg from 'pg';
import type { Queryable } from '../core/database.ts';
import { queriesOf } from './connections.ts';
import { isStatementError, rootCauseOf, unavailable } from './errors.ts';
import { Pipeline } from './pipeline.ts';
import { CONNECT_LIMIT_MS, connectToPrimary, type DirectAccess, endConnection } from './primary-guard.ts';

/** Runs `work` on a connection of its own and closes it. A pooler could change the server between two statements. */
export async function runSession<T>(
  { url, guard }: DirectAccess,
  { name, queryTimeoutMs }: { readonly name: string; readonly queryTimeoutMs: number },
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  let client: pg.Client | undefined;
  try {
    client = await connectToPrimary(guard, {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      application_name: `sponsorgate ${name}`,
    });
    return await work(queriesOf(new Pipeline(client, { isShared: false })));
  } catch (error) {
    if (client === undefined && !isStatementError(error)) throw unavailable(error);
    throw rootCauseOf(error);
  } finally {
    if (client !== undefined) await endConnection(client);
  }
}
