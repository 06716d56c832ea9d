import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseUnavailable } from '../core/database.ts';
import { unavailable } from './errors.ts';
import { closeAtOnce, connectToPrimary, type PrimaryGuard } from './primary-guard.ts';

/**
 * Detects a server that hangs or is cut off without closing its connections. TCP would notice it after minutes. When a
 * statement has no response for some seconds, the watch opens a new connection and asks there: a server that does not
 * respond counts as away, and a server that does not work on that statement has lost it.
 */
export interface ServerWatch {
  /** The reason why requests fail at once instead of waiting; undefined while the server responds. */
  readonly away: DatabaseUnavailable | undefined;
  /**
   * Waits until the server has responded for a moment, or until the signal fires. Connections outside of the pool wait
   * like this, so that they do not delay the first connections of requests to a new primary.
   */
  untilBack(signal: AbortSignal): Promise<void>;
  /** Checks the server soon, after a connection could not be opened. */
  suspect(): void;
  close(): void;
}

/** A connection that waits for the response to a statement. */
export interface WaitingConnection {
  readonly client: pg.ClientBase;
  /** The time at which the statement was sent, by `performance.now()`; undefined when none is in progress. */
  busySince(): number | undefined;
}

interface WatchOptions {
  readonly url: string;
  readonly guard: PrimaryGuard;
  /** A pooler may run each statement in another server process, so the process id of a connection means nothing. */
  readonly isShared: boolean;
  inUse(): Iterable<WaitingConnection>;
  /** Returns the time since which a caller waits for a connection. */
  oldestWait(): number | undefined;
  onAway(reason: DatabaseUnavailable): void;
}

/** Also how soon a server that was away is noticed: a switch-over of the primary takes two seconds. */
const LOOK_EVERY_MS = 200;
/** Most statements take milliseconds. A longer one costs one small query on a new connection every few seconds. */
const SILENT_MS = 3_000;
/** A server that does not respond to a small query within this time counts as away. */
export const ANSWER_LIMIT_MS = 5_000;
/** When the timer is later than this, this process itself was stopped or had no processor. Its waits prove nothing. */
const LATE_MS = 1_000;
const BACK_POLL_MS = 100;
/** A pooler opens one connection after the other, and those that requests wait for come first. */
const BACK_HEAD_START_MS = 500;

export function watchServer({ url, guard, isShared, inUse, oldestWait, onAway }: WatchOptions): ServerWatch {
  let away: DatabaseUnavailable | undefined;
  let backAt = Number.NEGATIVE_INFINITY;
  let isSuspected = false;
  let isLooking = false;
  let nextLookAt = 0;
  let lastTickAt = performance.now();
  let lateAt = Number.NEGATIVE_INFINITY;

  const connect = (): Promise<pg.Client> =>
    connectToPrimary(guard, {
      connectionString: url,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      application_name: 'sponsorgate watch',
    });

  function comeBack(): void {
    if (away !== undefined) backAt = performance.now();
    away = undefined;
  }

  async function look(): Promise<void> {
    const begin = performance.now();
    const isLong = (since: number): boolean => begin - Math.max(since, lateAt) >= SILENT_MS;
    const silent = [...inUse()].flatMap(({ client, busySince }) => {
      const since = busySince();
      return since === undefined || !isLong(since) ? [] : [{ client, busySince, since }];
    });
    const isSilent = silent.length > 0 || isLong(oldestWait() ?? begin);
    if (away === undefined && !isSuspected && !(isSilent && begin >= nextLookAt)) return;
    isSuspected = false;
    let lost = silent;
    try {
      let client = await connect();
      if (away !== undefined) {
        // This connection may have waited at a former primary that hung. One that is opened now leads to the current one,
        // whose newer timeline ends the old connections of the pool before a request uses them.
        closeAtOnce(client);
        client = await connect();
      }
      try {
        comeBack();
        nextLookAt = performance.now() + SILENT_MS;
        const pids = new Set(await busyPids(client, guard, silent));
        lost = silent.filter(
          (connection) =>
            !guard.isCurrent(connection.client) || !(isShared || pids.has(guard.pidOf(connection.client) ?? 0)),
        );
      } finally {
        closeAtOnce(client); // an orderly end would wait for a server that may hang
      }
    } catch (error) {
      if (isRefusal(error)) {
        comeBack();
        return;
      }
      if (lateAt > begin) return;
      const isNew = away === undefined;
      away = unavailable(error);
      if (isNew) onAway(away);
    }
    for (const { client, busySince, since } of lost) if (busySince() === since) closeAtOnce(client);
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastTickAt > LOOK_EVERY_MS + LATE_MS) lateAt = now;
    lastTickAt = now;
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, LOOK_EVERY_MS).unref();

  return {
    get away() {
      return away;
    },
    async untilBack(signal) {
      const isTooEarly = (): boolean => away !== undefined || performance.now() - backAt < BACK_HEAD_START_MS;
      while (isTooEarly() && !signal.aborted) {
        await sleep(BACK_POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
    suspect() {
      isSuspected = true;
    },
    close() {
      clearInterval(timer);
      away = undefined;
      backAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Returns the process ids of those connections on whose statement the server works, or did until a moment ago. */
async function busyPids(
  client: pg.Client,
  guard: PrimaryGuard,
  silent: readonly { readonly client: pg.ClientBase }[],
): Promise<number[]> {
  if (silent.length === 0) return [];
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE pid = ANY ($1::int[])
       AND (state IS NULL OR state NOT LIKE 'idle%' OR state_change > now() - interval '2 seconds')`,
    [silent.map((connection) => guard.pidOf(connection.client) ?? 0)],
  );
  return rows.map(({ pid }) => pid);
}

/**
 * Returns whether the server responded with an error that concerns only this connection, such as a wrong password or too
 * many connections: it is not away. Class 08 and 57P mean that the server, or the one behind a pooler, is not there.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '');
}
