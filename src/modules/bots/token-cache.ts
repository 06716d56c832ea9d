import { timingSafeEqual } from 'node:crypto';
import { batchOf } from '../../core/batcher.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { sha256 } from '../../core/secrets.ts';
import { looksLikeToken } from './bot.ts';
import { findTokenHolders, type TokenHolder } from './store.ts';

/**
 * Caches which bot a token belongs to. Published changes invalidate entries; the lifetime bounds the effect of a missed
 * one. A token with an end is refused from that millisecond, by the clock that set the end, even when it is cached.
 */
export interface TokenCache {
  cached(token: string): TokenHolder | undefined;
  /** Returns the holder from the cache or the database. */
  find(token: string): Promise<TokenHolder | undefined>;
  invalidateBot(botId: number): void;
  clear(): void;
}

const LIFETIME_MS = 30_000;
const MAX_ENTRIES = 50_000;

export function createTokenCache(db: Queryable, clock: Clock = systemClock): TokenCache {
  /**
   * The key is the token itself, because hashing it would take a tenth of the time of a request. A map hashes keys with a
   * secret seed and compares characters only when the hashes match, so timing tells an attacker nothing about a token.
   */
  const entries = new Map<string, { holder: TokenHolder; until: number }>();
  let invalidations = 0;
  // The batcher limits any number of parallel guesses to one query at a time.
  const lookups = batchOf(
    async (hashes: readonly Buffer[]) => {
      const holders = await findTokenHolders(db, hashes, clock.now());
      return hashes.map((hash) => holders.find((holder) => holder.hash.equals(hash)));
    },
    { name: 'token_lookups' },
  );

  function cached(token: string): TokenHolder | undefined {
    const entry = entries.get(token);
    if (entry === undefined) return undefined;
    const { holder, until } = entry;
    const isOver = until < performance.now() || (holder.validUntil !== undefined && holder.validUntil <= clock.now());
    if (!isOver) return holder;
    entries.delete(token);
    return undefined;
  }

  return {
    cached,

    async find(token) {
      if (!looksLikeToken(token)) return undefined;
      const hit = cached(token);
      if (hit !== undefined) return hit;
      const hash = sha256(token);
      const before = invalidations;
      const holder = await lookups.submit(hash);
      if (holder === undefined || !timingSafeEqual(holder.hash, hash)) return undefined;
      // A change during the query may have made the result stale: return it, but do not cache it.
      if (invalidations !== before) return holder;
      if (entries.size >= MAX_ENTRIES) entries.clear();
      entries.set(token, { holder, until: performance.now() + LIFETIME_MS });
      return holder;
    },

    invalidateBot(botId) {
      invalidations++;
      for (const [token, { holder }] of entries) if (holder.bot.id === botId) entries.delete(token);
    },
    clear() {
      invalidations++;
      entries.clear();
    },
  };
}
