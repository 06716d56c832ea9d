import type { Queryable } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import { type ReleaseGroup, readReleases } from './releases-store.ts';

/**
 * Rewards that leave hold together: those of one moment, or of one hour when there are more moments than were asked
 * for. `releaseAt` is the first of them and `untilAt` the last; what is overdue is due now.
 */
type UpcomingRelease = ReleaseGroup;

export interface UpcomingReleases {
  /** Soonest first. */
  readonly releases: readonly UpcomingRelease[];
  /** Everything in hold. */
  readonly totalKopecks: Kopecks;
  /** Of it, what leaves after the releases listed, or has no time yet because an advertiser's side has not answered. */
  readonly laterKopecks: Kopecks;
}

const MAX_RELEASES = 100;
/** How many holds are looked at. The times of those behind them are told when their turn comes nearer. */
const SAMPLE = 50_000;

/** What leaves hold next for a publisher, if its users stay. */
export async function listUpcomingReleases(
  db: Queryable,
  { accountId, now, limit }: { accountId: number; now: Date; limit: number },
): Promise<UpcomingReleases> {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RELEASES, `1 to ${MAX_RELEASES} releases, not ${limit}`);
  const { groups, read, holdKopecks } = await readReleases(db, { accountId, now, groups: limit, sample: SAMPLE });
  // Where the look was cut, the last group may go on behind the cut; with others before it, it is left for later.
  const whole = read === SAMPLE && groups.length > 1 ? groups.slice(0, -1) : groups;
  const releases = whole.slice(0, limit);
  return {
    releases,
    totalKopecks: holdKopecks,
    laterKopecks: holdKopecks - sumKopecks(releases.map(({ amountKopecks }) => amountKopecks)),
  };
}
