import { type Clock, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Contest, Standing } from './contest.ts';
import { rankPublishers } from './store.ts';

/** The standings of contests that are not frozen yet. */
export interface LiveStandings {
  of(contest: Contest): Promise<Board>;
}

export interface Board {
  readonly standings: readonly Standing[];
  standingOf(accountId: number): Standing | undefined;
}

const LIFETIME_MS = 5 * SECOND_MS;

interface Kept {
  readonly at: Date;
  readonly board: Promise<Board>;
}

/** Counting goes over the whole period, so everybody who asks within a few seconds shares one count. */
export function createLiveStandings({ db, clock }: { db: Queryable; clock: Clock }): LiveStandings {
  const kept = new Map<number, Kept>();

  async function count({ startsAt, endsAt }: Contest): Promise<Board> {
    const standings = await rankPublishers(db, startsAt, endsAt);
    const byAccount = new Map(standings.map((standing) => [standing.accountId, standing]));
    return { standings, standingOf: (accountId) => byAccount.get(accountId) };
  }

  return {
    of(contest) {
      const now = clock.now();
      const known = kept.get(contest.id);
      // The sandbox's clock can be set back by a reset, hence both sides.
      const age = known === undefined ? Number.NaN : now.getTime() - known.at.getTime();
      if (known !== undefined && age >= 0 && age < LIFETIME_MS) return known.board;
      for (const [id, { at }] of kept) if (Math.abs(now.getTime() - at.getTime()) >= LIFETIME_MS) kept.delete(id);
      const board = count(contest);
      kept.set(contest.id, { at: now, board });
      board.catch(() => kept.delete(contest.id));
      return board;
    },
  };
}
