import { createBatcher } from '../../core/batcher.ts';
import type { Queryable } from '../../core/database.ts';
import { type Link, looksLikeCode } from './link.ts';
import { findLinksByCode } from './store.ts';

/**
 * The links that are being followed, kept in memory, so that a redirect asks the database nothing. Changes arrive as
 * notifications; the lifetimes only bound how long a missed one could matter.
 */
export interface LinkCache {
  /** The link, `null` when there is known to be none, `undefined` when only the database can tell. */
  recall(code: string): Link | null | undefined;
  /** Calls `beforeLookup` when the database must be asked, and not when somebody else is asking for this code already. */
  find(code: string, beforeLookup: () => Promise<void> | undefined): Promise<Link | null>;
  forgetLink(linkId: number): void;
  forgetAll(): void;
}

const LIFETIME_MS = 60_000;
const MAX_LINKS = 50_000;
/** A code that nobody has may be one that somebody is about to get. */
const ABSENT_LIFETIME_MS = 10_000;
const MAX_ABSENT = 10_000;

export function createLinkCache(db: Queryable): LinkCache {
  const present = new Map<string, { link: Link; until: number }>();
  const absent = new Map<string, number>();
  const codes = new Map<number, string>();
  const underWay = new Map<string, Promise<Link | null>>();
  const lookups = createBatcher<string, Link | undefined>({ run: (wanted) => findLinksByCode(db, wanted) });
  let forgotten = 0;

  function recall(code: string): Link | null | undefined {
    const entry = present.get(code);
    if (entry !== undefined && entry.until > performance.now()) return entry.link;
    if (!looksLikeCode(code) || (absent.get(code) ?? 0) > performance.now()) return null;
    return undefined;
  }

  async function lookUp(code: string): Promise<Link | null> {
    const before = forgotten;
    const link = await lookups.submit(code);
    // A change that arrived while the answer was on its way may have made it stale: use it once, do not keep it.
    if (forgotten !== before) return link ?? null;
    if (link === undefined) {
      if (absent.size >= MAX_ABSENT) absent.clear();
      absent.set(code, performance.now() + ABSENT_LIFETIME_MS);
      return null;
    }
    if (present.size >= MAX_LINKS) forgetAll();
    present.set(code, { link, until: performance.now() + LIFETIME_MS });
    codes.set(link.id, code);
    return link;
  }

  function forgetAll(): void {
    forgotten++;
    underWay.clear();
    present.clear();
    codes.clear();
    absent.clear();
  }

  return {
    recall,
    forgetAll,
    async find(code, beforeLookup) {
      const known = recall(code);
      if (known !== undefined) return known;
      const shared = underWay.get(code);
      if (shared !== undefined) return shared;
      const allowed = beforeLookup();
      if (allowed !== undefined) await allowed;
      const meanwhile = underWay.get(code);
      if (meanwhile !== undefined) return meanwhile;
      const lookup = lookUp(code).finally(() => {
        if (underWay.get(code) === lookup) underWay.delete(code);
      });
      underWay.set(code, lookup);
      return lookup;
    },
    forgetLink(linkId) {
      forgotten++;
      underWay.clear();
      const code = codes.get(linkId);
      if (code !== undefined) present.delete(code);
      codes.delete(linkId);
      absent.clear(); // a new link: its code may have been asked for before it existed
    },
  };
}
