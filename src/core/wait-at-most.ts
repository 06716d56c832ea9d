import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the work, at most this long or until the signal fires. Returns whether the work ended first. */
export async function waitAtMost(ms: number, work: Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const signals = signal === undefined ? [ended.signal] : [ended.signal, signal];
  const limit = sleep(ms, false, { signal: AbortSignal.any(signals) }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    ended.abort();
  }
}
