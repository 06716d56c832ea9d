import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How often a process that waits for its turn asks again, and one that has it makes sure that it still does. */
const ASK_MS = 2_000;
const QUERY_TIMEOUT_MS = 5_000;
/** Longer than a holder takes to find out that it is cut off (both of the above), so that it has stopped by then. */
const SILENT_SECONDS = 10;

/** Holds a lock of the database's on a connection of its own; when that connection ends, so does the lock. */
export async function runExclusively(
  url: string,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: `sponsorgate ${name}`,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      await client.connect();
      if (await waitForTurn(client, name, signal)) {
        const watch = watchConnection(client, lost, signal);
        await work(AbortSignal.any([signal, lost.signal]));
        lost.abort();
        await watch;
      }
    } catch (error) {
      if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      await client.end().catch(() => undefined);
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
 * A holder whose machine or network died without a word keeps the lock until the server's TCP gives up, which by default
 * takes two hours. A living one asks something every few seconds, so one that has not is ended.
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

/** A connection cut without a word would leave two processes at work: one that gets no answer gives up its turn. */
async function watchConnection(client: pg.Client, lost: AbortController, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, lost.signal]);
  while (!either.aborted) {
    await pause(either);
    if (either.aborted) return;
    await client.query('SELECT 1').catch(() => lost.abort());
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
}
