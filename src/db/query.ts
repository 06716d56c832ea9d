import type { Queryable } from '../core/database.ts';
import type { Connections } from './connections.ts';
import { isPlanOutdated, isStatementError, rootCauseOf } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import { writeParameters } from './wire-values.ts';

/** Runs one statement outside of a transaction. PostgreSQL commits it by itself. */
export async function runQuery<Row>(
  connections: Connections,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const values = writeParameters(params);
  return onOneConnection(connections, async (pipeline) => (await pipeline.send(text, values)).rows as Row[]);
}

/** Runs several statements on one connection, outside of a transaction. */
export function runQueries<T>(connections: Connections, work: (db: Queryable) => Promise<T>): Promise<T> {
  return onOneConnection(connections, (pipeline) =>
    work({
      query(sql, params = []) {
        const rows = pipeline.send(sql, writeParameters(params)).then((result) => result.rows as never[]);
        rows.catch(() => undefined); // a failed statement also fails those sent with it, which `work` may not await yet
        return rows;
      },
    }),
  );
}

async function onOneConnection<T>(connections: Connections, work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const connection = await connections.acquire();
    let broken: Error | undefined;
    try {
      return await work(connection.pipeline);
    } catch (thrown) {
      const error = rootCauseOf(thrown);
      const isOutdated = isPlanOutdated(error);
      if (isOutdated || !isStatementError(error)) broken = new Error('connection unusable', { cause: error });
      // Replace the stack trace of the socket with that of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      // Every connection of the pool can be outdated once.
      if (!isOutdated || attempt > connections.max) throw error;
    } finally {
      connection.release(broken);
    }
  }
}
