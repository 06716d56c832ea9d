import { type Clock, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Contest, ScoringRules, Standing } from './contest.ts';
import { rankPublishers } from './store.ts';

export interface LiveStandings {
  of(contest: Contest): Promise<Board>;
}

interface Board {
  readonly standings: readonly Standing[];
  standingOf(accountId: number): Standing | undefined;
}

/** Standings are cached at least so long, and 20 times as long as the query took: it may use 5 % of the time. */
const MIN_LIFETIME_MS = 5 * SECOND_MS;
const LIFETIME_PER_COST = 20;

interface CacheEntry {
  readonly at: Date;
  readonly board: Promise<Board>;
  lifetimeMs: number;
}

/** Caches the standings of contests that are not frozen yet: the query reads the whole period. */
export function createLiveStandings({
  db,
  clock,
  minimumPriceKopecks,
}: { db: Queryable; clock: Clock } & ScoringRules): LiveStandings {
  const cache = new Map<number, CacheEntry>();

  async function count({ startsAt, endsAt }: Contest): Promise<Board> {
    const standings = await rankPublishers(db, { from: startsAt, until: endsAt, minimumPriceKopecks });
    const byAccount = new Map(standings.map((standing) => [standing.accountId, standing]));
    return { standings, standingOf: (accountId) => byAccount.get(accountId) };
  }

  // A reset of the sandbox can set its clock back, so an entry from the future is stale too.
  function isFresh({ at, lifetimeMs }: CacheEntry, now: Date): boolean {
    const age = now.getTime() - at.getTime();
    return age >= 0 && age < lifetimeMs;
  }

  return {
    of(contest) {
      const now = clock.now();
      const cached = cache.get(contest.id);
      if (cached !== undefined && isFresh(cached, now)) return cached.board;
      for (const [id, entry] of cache) if (!isFresh(entry, now)) cache.delete(id);
      const startedMs = performance.now();
      const entry: CacheEntry = { at: now, board: count(contest), lifetimeMs: MIN_LIFETIME_MS };
      cache.set(contest.id, entry);
      entry.board.then(
        () => {
          entry.lifetimeMs = Math.max(MIN_LIFETIME_MS, (performance.now() - startedMs) * LIFETIME_PER_COST);
        },
        () => cache.delete(contest.id),
      );
      return entry.board;
    },
  };
}
