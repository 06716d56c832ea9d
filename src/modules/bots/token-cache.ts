import { timingSafeEqual } from 'node:crypto';
import { createBatcher } from '../../core/batcher.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { looksLikeToken } from './bot.ts';
import { findTokenHolders, type TokenHolder } from './store.ts';

/**
 * Who a token belongs to, remembered between requests. Changes of a bot or its tokens arrive as notifications; the
 * lifetime only bounds how long a missed one could matter. A token with a set end is refused from that very moment, by the
 * clock that set it: nothing remembered outlives it.
 */
export interface TokenCache {
  /** What is remembered of the token, at no cost. */
  recall(token: string): TokenHolder | undefined;
  /** The same, asking the database when it is not remembered. */
  find(token: string): Promise<TokenHolder | undefined>;
  forgetBot(botId: number): void;
  forgetAll(): void;
}

const LIFETIME_MS = 30_000;
const MAX_REMEMBERED = 50_000;

export function createTokenCache(db: Queryable, clock: Clock = systemClock): TokenCache {
  /**
   * By the token itself: hashing it would be a tenth of what a request costs. A map finds a key by a hash with a secret
   * seed of the process, and compares characters only where that agrees, so a guess learns nothing from the time it takes.
   */
  const remembered = new Map<string, { holder: TokenHolder; until: number }>();
  let forgotten = 0;
  // However many guess at once, they cost one query at a time.
  const lookups = createBatcher<Buffer, TokenHolder | undefined>({
    async run(hashes) {
      const holders = await findTokenHolders(db, hashes, clock.now());
      return hashes.map((hash) => holders.find((holder) => holder.hash.equals(hash)));
    },
  });

  function recall(token: string): TokenHolder | undefined {
    const entry = remembered.get(token);
    if (entry === undefined) return undefined;
    const { holder, until } = entry;
    const isOver = until < performance.now() || (holder.validUntil !== undefined && holder.validUntil <= clock.now());
    if (!isOver) return holder;
    remembered.delete(token);
    return undefined;
  }

  return {
    recall,

    async find(token) {
      if (!looksLikeToken(token)) return undefined;
      const known = recall(token);
      if (known !== undefined) return known;
      // Only hashes are compared: how far a guess agrees with a real token cannot show in the time it takes.
      const hash = sha256(token);
      const before = forgotten;
      const holder = await lookups.submit(hash);
      if (holder === undefined || !timingSafeEqual(holder.hash, hash)) return undefined;
      // A change that arrived while the answer was on its way may have made it stale: use it once, do not keep it.
      if (forgotten !== before) return holder;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(token, { holder, until: performance.now() + LIFETIME_MS });
      return holder;
    },

    forgetBot(botId) {
      forgotten++;
      for (const [key, { holder }] of remembered) if (holder.bot.id === botId) remembered.delete(key);
    },
    forgetAll() {
      forgotten++;
      remembered.clear();
    },
  };
}
