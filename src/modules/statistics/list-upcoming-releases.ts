import type { Queryable } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import { type ReleaseGroup, readReleases } from './releases-store.ts';

/**
 * Rewards that leave hold together: at the same time, or within one hour if there are more times than requested.
 * `releaseAt` is the first time and `untilAt` the last. An overdue release is due now.
 */
type UpcomingRelease = ReleaseGroup;

export interface UpcomingReleases {
  /** Soonest first. */
  readonly releases: readonly UpcomingRelease[];
  /** The total amount in hold. */
  readonly totalKopecks: Kopecks;
  /**
   * The part that leaves hold after the listed releases, or has no time yet because the advertiser's side has not
   * replied.
   */
  readonly laterKopecks: Kopecks;
}

const MAX_RELEASES = 100;
/** How many rewards in hold are read. Later ones appear when their time comes closer. */
const SAMPLE = 50_000;

/** Returns the rewards of a publisher that leave hold next, if their users stay. */
export async function listUpcomingReleases(
  db: Queryable,
  { accountId, now, limit }: { accountId: number; now: Date; limit: number },
): Promise<UpcomingReleases> {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RELEASES, `1 to ${MAX_RELEASES} releases, not ${limit}`);
  const { groups, read, holdKopecks } = await readReleases(db, { accountId, now, groups: limit, sample: SAMPLE });
  // At the row limit the last group may be incomplete, so it is dropped unless it is the only one.
  const whole = read === SAMPLE && groups.length > 1 ? groups.slice(0, -1) : groups;
  const releases = whole.slice(0, limit);
  return {
    releases,
    totalKopecks: holdKopecks,
    laterKopecks: holdKopecks - sumKopecks(releases.map(({ amountKopecks }) => amountKopecks)),
  };
}
