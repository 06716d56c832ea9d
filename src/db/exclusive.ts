import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  CONNECT_LIMIT_MS,
  connectToPrimary,
  type DirectAccess,
  endConnection,
  type PrimaryGuard,
} from './primary-guard.ts';

/** How often a waiting process retries the lock, and how often the holder checks its connection. */
const ASK_MS = 2_000;
const QUERY_TIMEOUT_MS = 5_000;
/**
 * Longer than the holder needs to notice a lost connection (the sum of the two times above), so it has stopped by then.
 */
const SILENT_SECONDS = 10;

/**
 * Runs `work` while this process holds an advisory lock on a dedicated connection. The lock ends with that connection.
 */
export async function runExclusively(
  { url, guard, untilBack, onError }: DirectAccess,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await untilBack(signal);
    if (signal.aborted) return;
    const lost = new AbortController();
    let client: pg.Client | undefined;
    try {
      client = await connectToPrimary(
        guard,
        {
          connectionString: url,
          connectionTimeoutMillis: CONNECT_LIMIT_MS,
          query_timeout: QUERY_TIMEOUT_MS,
          keepAlive: true,
          application_name: `sponsorgate ${name}`,
        },
        () => lost.abort(),
      );
      client.on('end', () => lost.abort());
      if (await waitForTurn(client, name, signal)) {
        const watch = watchConnection(client, guard, lost, signal);
        await work(AbortSignal.any([signal, lost.signal]));
        lost.abort();
        await watch;
      }
    } catch (error) {
      if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      if (client !== undefined) await endConnection(client);
    }
    await pause(signal);
  }
}

async function waitForTurn(client: pg.Client, name: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS got', [name]);
    if (rows[0]?.got === true) return true;
    await endSilentHolder(client, name);
    await pause(signal);
  }
  return false;
}

/**
 * Terminates a holder that sends no queries. When its machine or network fails, the server would keep its lock until
 * TCP times out, by default after two hours. A live holder sends a query every few seconds.
 */
async function endSilentHolder(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid)
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) | objid::bigint = hashtext($1)::bigint
       AND state_change < now() - make_interval(secs => $2)`,
    [name, SILENT_SECONDS],
  );
}

/**
 * Aborts `lost` when a query gets no response, or when the server is no longer the primary. Otherwise a silently cut
 * connection or a former primary would leave two processes at work.
 */
async function watchConnection(
  client: pg.Client,
  guard: PrimaryGuard,
  lost: AbortController,
  signal: AbortSignal,
): Promise<void> {
  const either = AbortSignal.any([signal, lost.signal]);
  while (!either.aborted) {
    await pause(either);
    if (either.aborted) return;
    await guard.admit(client).catch(() => lost.abort());
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
}
