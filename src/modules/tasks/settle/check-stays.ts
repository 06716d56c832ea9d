import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { OrderBook } from '../../orders/index.ts';
import { findStaysToCheck, recordStays, type StayToCheck } from '../../quality/index.ts';
import type { MembershipChecker } from '../membership.ts';

export interface CheckStaysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
}

/** Checks per run. With the job's share of the budget a run takes seconds, and the rest waits for the next one. */
const MOST = 200;
const CHECK_TIMEOUT_MS = 5_000;

/**
 * Checks a sample of the settled subscriptions of watched and low sources: is the user still there after the window? The
 * results feed the figures of staying and change no reward. Returns how many were checked.
 */
export async function checkStays(
  { db, clock, secrets, book, membershipChecker }: CheckStaysDeps,
  samplePercent: number,
  signal?: AbortSignal,
): Promise<number> {
  if (samplePercent === 0) return 0;
  const seed = secrets.sign('stay-sample', '').readBigInt64LE();
  const due = await findStaysToCheck(db, { now: clock.now(), samplePercent, seed, limit: MOST });
  if (due.length === 0) return 0;
  const orders = await book.lookup([...new Set(due.map(({ orderId }) => orderId))]);
  const checked: (StayToCheck & { readonly stayed: boolean })[] = [];
  for (const stay of due) {
    if (signal?.aborted === true) break;
    const order = orders.get(stay.orderId);
    if (order === undefined) continue;
    const status = await membershipChecker.checkInTurn(order.resource, stay.userId, CHECK_TIMEOUT_MS);
    // A removal is the advertiser's doing, and a failed check says nothing; the next run repeats it.
    if (status === 'member' || status === 'removed') checked.push({ ...stay, stayed: true });
    if (status === 'left') checked.push({ ...stay, stayed: false });
  }
  await recordStays(db, checked, clock.now());
  return checked.length;
}
