import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../core/errors.ts';
import type { Script } from './connection.ts';
import { type Connection, connect, isRefusal, within } from './connection.ts';

/**
 * A Redis client for optional use: while Redis is slow or unreachable, calls fail at once and the caller does without.
 */
export interface Redis {
  /** False from the first failed call until the client has connected again. */
  readonly isUp: boolean;
  /** Returns within the time limit or throws. Throws at once while Redis is down. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}

export interface RedisOptions {
  readonly url: string;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** The longest time that a request waits for Redis. */
  readonly timeoutMs: number;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/**
 * The retry pause starts at its minimum again only if the connection lasted this long. Otherwise it keeps growing,
 * because a Redis that fails soon after a reconnect may be overloaded by reconnecting processes.
 */
const STEADY_MS = 10_000;

/**
 * Opens Redis. Starts even if Redis is unreachable: limits per process are better than a service that does not start.
 */
export async function openRedis({ url, log, timeoutMs }: RedisOptions): Promise<Redis> {
  const closing = new AbortController();
  let connection: Connection | undefined;
  let recovering: Promise<void> = Promise.resolve();
  let usedSince = 0;
  let pauseMs = FIRST_RETRY_MS;

  function use(fresh: Connection): void {
    connection = fresh;
    usedSince = performance.now();
    fresh.onBroken((error) => giveUp(fresh, error));
  }

  /** Drops a failed connection and starts to reconnect. Logs once per outage, because no calls are sent meanwhile. */
  function giveUp(failed: Connection | undefined, error: unknown): void {
    if (connection !== failed || closing.signal.aborted) return;
    connection = undefined;
    failed?.destroy();
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'Redis is away or too slow: each process counts for itself until it answers',
    );
    const now = performance.now();
    if (now - usedSince > STEADY_MS) pauseMs = FIRST_RETRY_MS;
    recovering = recover(now);
  }

  /** Reconnects until it succeeds. Uses a new connection each time, because a silently cut one would never respond. */
  async function recover(since: number): Promise<void> {
    for (;;) {
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_RETRY_MS);
      if (closing.signal.aborted) return;
      const fresh = await connect(url, timeoutMs).catch(() => undefined);
      if (fresh === undefined) continue;
      if (closing.signal.aborted) return fresh.destroy();
      log.info({ seconds: Math.round((performance.now() - since) / 1000) }, 'Redis answers again: limits are shared');
      return use(fresh);
    }
  }

  try {
    use(await connect(url, timeoutMs));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isRefusal(reason)) throw new StartError(`REDIS_URL: Redis refuses this user, password or database: ${reason}`);
    giveUp(undefined, error);
  }

  return {
    get isUp() {
      return connection !== undefined;
    },
    async run(script, keys, args) {
      const current = connection;
      if (current === undefined) throw new Error('Redis is away');
      try {
        return await within(timeoutMs, current.run(script, keys, args));
      } catch (error) {
        giveUp(current, error);
        throw error;
      }
    },
    async close() {
      closing.abort();
      connection?.destroy();
      connection = undefined;
      await recovering;
    },
  };
}
