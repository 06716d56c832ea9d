import { batchOf } from '../../core/batcher.ts';
import type { Queryable } from '../../core/database.ts';
import { type Link, looksLikeCode } from './link.ts';
import { findLinksByCode } from './store.ts';

/**
 * Caches links by code, so that a redirect needs no query. Published changes invalidate entries; the lifetimes bound the
 * effect of a missed one.
 */
export interface LinkCache {
  /** Returns the link, `null` when the code is known to have none, `undefined` when the code is not cached. */
  cached(code: string): Link | null | undefined;
  /** Calls and awaits `beforeQuery` before a query for this code, unless one is already running. */
  find(code: string, beforeQuery: () => Promise<void> | undefined): Promise<Link | null>;
  invalidate(linkId: number): void;
  clear(): void;
}

const LIFETIME_MS = 60_000;
const MAX_LINKS = 50_000;
/** Shorter, because a link with this code may be created soon. */
const ABSENT_LIFETIME_MS = 10_000;
const MAX_ABSENT = 10_000;

export function createLinkCache(db: Queryable): LinkCache {
  const present = new Map<string, { link: Link; until: number }>();
  const absent = new Map<string, number>();
  const codes = new Map<number, string>();
  const running = new Map<string, Promise<Link | null>>();
  const lookups = batchOf((codes: readonly string[]) => findLinksByCode(db, codes), { name: 'link_lookups' });
  let invalidations = 0;

  function cached(code: string): Link | null | undefined {
    const entry = present.get(code);
    if (entry !== undefined && entry.until > performance.now()) return entry.link;
    if (!looksLikeCode(code) || (absent.get(code) ?? 0) > performance.now()) return null;
    return undefined;
  }

  async function lookUp(code: string): Promise<Link | null> {
    const before = invalidations;
    const link = await lookups.submit(code);
    // A change during the query may have made the result stale: return it, but do not cache it.
    if (invalidations !== before) return link ?? null;
    if (link === undefined) {
      if (absent.size >= MAX_ABSENT) absent.clear();
      absent.set(code, performance.now() + ABSENT_LIFETIME_MS);
      return null;
    }
    if (present.size >= MAX_LINKS) clear();
    present.set(code, { link, until: performance.now() + LIFETIME_MS });
    codes.set(link.id, code);
    return link;
  }

  function clear(): void {
    invalidations++;
    for (const map of [running, present, codes, absent]) map.clear();
  }

  return {
    cached,
    clear,
    async find(code, beforeQuery) {
      const hit = cached(code);
      if (hit !== undefined) return hit;
      if (!running.has(code)) {
        const allowed = beforeQuery();
        if (allowed !== undefined) await allowed;
      }
      const shared = running.get(code);
      if (shared !== undefined) return shared;
      const lookup = lookUp(code).finally(() => {
        if (running.get(code) === lookup) running.delete(code);
      });
      running.set(code, lookup);
      return lookup;
    },
    invalidate(linkId) {
      invalidations++;
      running.clear();
      present.delete(codes.get(linkId) ?? '');
      codes.delete(linkId);
      absent.clear(); // a visitor may have requested the code before the link was created
    },
  };
}
