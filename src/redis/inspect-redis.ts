import { connect, isRefusal, script, within } from './connection.ts';

/** Whether the rate limiter can use a Redis server. */
export type RedisState =
  | {
      readonly kind: 'usable';
      /** Absent when the server does not report it. */
      readonly version: string | undefined;
      readonly isCluster: boolean;
      /** The median duration of a count. */
      readonly answerMs: number;
    }
  /** The server refuses the user, the password or the database number. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The server responds but cannot count: it is a replica, it is full, or it lacks a command. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Runs the commands that the rate limiter needs, on a key that expires after a second. */
const COUNT = script(`
redis.call('TIME')
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return redis.call('GET', KEYS[1])
`);
const KEY = 'sponsorgate:up';
const COUNTS = 5;
/** Far longer than a request waits, so that a slow Redis is not reported as unreachable. */
const PATIENCE_MS = 2_000;

export async function inspectRedis(url: string): Promise<RedisState> {
  const { ErrorReply } = await import('@redis/client');
  try {
    const connection = await connect(url, PATIENCE_MS);
    try {
      const times: number[] = [];
      for (let i = 0; i < COUNTS; i++) {
        const begin = performance.now();
        await within(PATIENCE_MS, connection.run(COUNT, [KEY], []));
        times.push(performance.now() - begin);
      }
      times.sort((a, b) => a - b);
      const about = await within(PATIENCE_MS, connection.describe());
      return { kind: 'usable', ...about, answerMs: times[Math.floor(COUNTS / 2)] ?? 0 };
    } finally {
      connection.destroy();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isRefusal(reason)) return { kind: 'refused', reason };
    return { kind: error instanceof ErrorReply ? 'unusable' : 'unreachable', reason };
  }
}
