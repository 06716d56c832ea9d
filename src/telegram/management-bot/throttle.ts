/** How much one person may do: far more than a hand can, far less than a flood. */
const BURST = 120;
const PER_SECOND = 8;
const TOLD_EVERY_MS = 10_000;
const MAX_REMEMBERED = 10_000;

export type Admission = 'admitted' | 'refused' | 'refused_and_tell';

interface Bucket {
  level: number;
  at: number;
  toldAt: number;
}

/** Keeps a flood from one chat away from the rest of the bot. In memory: a restart forgives. */
export function createThrottle(now: () => number): (chatId: number) => Admission {
  const buckets = new Map<number, Bucket>();
  return (chatId) => {
    const at = now();
    const bucket = buckets.get(chatId) ?? { level: BURST, at, toldAt: Number.NEGATIVE_INFINITY };
    // The chats that were heard of last stand last, so that those at the front may be forgotten.
    buckets.delete(chatId);
    buckets.set(chatId, bucket);
    if (buckets.size > MAX_REMEMBERED) for (const key of [...buckets.keys()].slice(0, 100)) buckets.delete(key);

    bucket.level = Math.min(BURST, bucket.level + (Math.max(0, at - bucket.at) / 1000) * PER_SECOND);
    bucket.at = at;
    if (bucket.level >= 1) {
      bucket.level -= 1;
      return 'admitted';
    }
    if (at - bucket.toldAt < TOLD_EVERY_MS) return 'refused';
    bucket.toldAt = at;
    return 'refused_and_tell';
  };
}
