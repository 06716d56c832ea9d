import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { inPieces } from '../../core/in-pieces.ts';
import { deleteMemberships, takeMembershipsToReview } from '../audience/index.ts';
import { findIdleMemberships } from './forget-store.ts';

/** How long nobody must have said anything new of a membership; longer than offers are kept, which ask for its end. */
export const MEMBERSHIP_DAYS = 400;
const PAGE = 1_000;

/**
 * Forgets memberships that can decide nothing any more (see `findIdleMemberships`). Goes on where the last run of
 * whatever process ended. Answers how many there were.
 */
export async function forgetMemberships(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = PAGE,
): Promise<number> {
  const now = clock.now();
  const observedBefore = new Date(now.getTime() - MEMBERSHIP_DAYS * DAY_MS);
  return inPieces(
    () =>
      db.transaction(async (tx) => {
        const page = await takeMembershipsToReview(tx, { now, limit });
        const old = page.memberships.filter(({ observedAt }) => observedAt < observedBefore);
        const count = await deleteMemberships(tx, await findIdleMemberships(tx, old), observedBefore);
        return { count, hasMore: page.hasMore };
      }),
    { signal },
  );
}
