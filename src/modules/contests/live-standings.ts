import { type Clock, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Contest, ScoringRules, Standing } from './contest.ts';
import { rankPublishers } from './store.ts';

/** The standings of contests that are not frozen yet. */
export interface LiveStandings {
  of(contest: Contest): Promise<Board>;
}

interface Board {
  readonly standings: readonly Standing[];
  standingOf(accountId: number): Standing | undefined;
}

/** Counting takes longer the more there is to count; it may take up a twentieth of the time and no more. */
const SHORTEST_MS = 5 * SECOND_MS;
const LIFETIME_PER_COST = 20;

interface Kept {
  readonly at: Date;
  readonly board: Promise<Board>;
  lifetimeMs: number;
}

/** Counting goes over the whole period, so everybody who asks within a few seconds shares one count. */
export function createLiveStandings({
  db,
  clock,
  minimumPriceKopecks,
}: { db: Queryable; clock: Clock } & ScoringRules): LiveStandings {
  const kept = new Map<number, Kept>();

  async function count({ startsAt, endsAt }: Contest): Promise<Board> {
    const standings = await rankPublishers(db, { from: startsAt, until: endsAt, minimumPriceKopecks });
    const byAccount = new Map(standings.map((standing) => [standing.accountId, standing]));
    return { standings, standingOf: (accountId) => byAccount.get(accountId) };
  }

  // A reset can set the sandbox's clock back: what seems to come from the future is as stale as what is old.
  function isFresh({ at, lifetimeMs }: Kept, now: Date): boolean {
    const age = now.getTime() - at.getTime();
    return age >= 0 && age < lifetimeMs;
  }

  return {
    of(contest) {
      const now = clock.now();
      const known = kept.get(contest.id);
      if (known !== undefined && isFresh(known, now)) return known.board;
      for (const [id, entry] of kept) if (!isFresh(entry, now)) kept.delete(id);
      const begin = performance.now();
      const entry: Kept = { at: now, board: count(contest), lifetimeMs: SHORTEST_MS };
      kept.set(contest.id, entry);
      entry.board.then(
        () => {
          entry.lifetimeMs = Math.max(SHORTEST_MS, (performance.now() - begin) * LIFETIME_PER_COST);
        },
        () => kept.delete(contest.id),
      );
      return entry.board;
    },
  };
}
