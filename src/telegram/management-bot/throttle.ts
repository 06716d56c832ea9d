/** Limits per chat: more than a person can press, less than a flood. */
const BURST = 120;
const PER_SECOND = 8;
const WARN_EVERY_MS = 10_000;
const MAX_CHATS = 10_000;

export type Admission = 'admitted' | 'refused' | 'refused_with_warning';

interface Bucket {
  level: number;
  at: number;
  warnedAt: number;
}

/** Limits the updates of one chat. Kept in memory only. */
export function createThrottle(now: () => number): (chatId: number) => Admission {
  const buckets = new Map<number, Bucket>();
  return (chatId) => {
    const at = now();
    const bucket = buckets.get(chatId) ?? { level: BURST, at, warnedAt: Number.NEGATIVE_INFINITY };
    // Re-inserts the chat, so that the first entries are the least recent.
    buckets.delete(chatId);
    buckets.set(chatId, bucket);
    if (buckets.size > MAX_CHATS) for (const key of [...buckets.keys()].slice(0, 100)) buckets.delete(key);

    bucket.level = Math.min(BURST, bucket.level + (Math.max(0, at - bucket.at) / 1000) * PER_SECOND);
    bucket.at = at;
    if (bucket.level >= 1) {
      bucket.level -= 1;
      return 'admitted';
    }
    if (at - bucket.warnedAt < WARN_EVERY_MS) return 'refused';
    bucket.warnedAt = at;
    return 'refused_with_warning';
  };
}
