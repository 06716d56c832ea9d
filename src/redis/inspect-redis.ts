import { connect, isRefusal } from './connection.ts';
import { script } from './script.ts';
import { within } from './within.ts';

/** What a Redis is like to whoever wants to count in it. */
export type RedisState =
  | {
      readonly kind: 'usable';
      /** Not every server says. */
      readonly version: string | undefined;
      readonly isCluster: boolean;
      /** How long a count takes, of several the one in the middle. */
      readonly answerMs: number;
    }
  /** It says no, and whoever set it up can change that. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It is there and takes no counts: a copy, one that is full, one that lacks a command. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** All that the limits ask of Redis, on a key that is gone after a second. */
const COUNT = script(`
redis.call('TIME')
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return redis.call('GET', KEYS[1])
`);
const KEY = 'sponsorgate:up';
const COUNTS = 5;
/** Far longer than a request waits, to tell a slow Redis from none. */
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
