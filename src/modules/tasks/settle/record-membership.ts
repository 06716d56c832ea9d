import { recordMemberships } from '../../audience/index.ts';
import { findResourceByChat, type Resource } from '../../orders/index.ts';
import { isInWindow, isOrderUnclear } from './late-check.ts';
import type { MembershipProbe } from '../membership.ts';
import type { Offer } from '../task.ts';
import { type RecordRemovalsDeps, recordRemovals } from './record-removals.ts';
import { settleOffers } from './settle-tasks.ts';
import { checkSoon, findReversibleOffers, findWaitingForJoin } from './settle-store.ts';

export interface MembershipUpdate {
  readonly userId: number;
  readonly chatId: number;
  readonly wasMember: boolean;
  readonly isMember: boolean;
  /** Whether an administrator took the user out. */
  readonly isRemoval: boolean;
  /** When it happened, or as soon after as can be known. */
  readonly at: Date;
}

export interface RecordMembershipDeps extends RecordRemovalsDeps {
  readonly probe: MembershipProbe;
}

const CHECK_TIMEOUT_MS = 4_000;

/** Stores that a user joined or left. A leave after the confirmation and within the window takes the reward back at once. */
export async function recordMembershipUpdate(deps: RecordMembershipDeps, update: MembershipUpdate): Promise<void> {
  // Kept for every chat: one that nobody advertises today may be advertised tomorrow.
  await recordMemberships(deps.db, [{ ...update, source: 'update', observedAt: update.at }]);
  if (update.isMember && !update.wasMember) await releaseDated(deps, update);
  // Who is banned after leaving, or unbanned, does not leave a second time.
  if (update.isMember || !update.wasMember) return;
  const resource = await findResourceByChat(deps.db, update.chatId);
  if (resource === undefined) return;
  const offers = await findReversibleOffers(deps.db, update.userId, resource.id);
  if (update.isRemoval)
    return recordRemovals(
      deps,
      offers.filter((offer) => isInWindow(offer, update.at)),
    );
  const left = await findLeft(deps, resource, update, offers);
  await settleOffers(
    deps.db,
    left.map((offer) => ({ ...offer, stayed: false })),
    deps.clock.now(),
  );
}

/** A reward without hold that only waited for the date of the join leaves hold when the update arrives. */
async function releaseDated(deps: RecordMembershipDeps, { userId, chatId, at }: MembershipUpdate): Promise<void> {
  const now = deps.clock.now();
  const waiting = (await findWaitingForJoin(deps.db, { userId, chatId, now })).filter(
    ({ offeredAt }) => at >= offeredAt,
  );
  await settleOffers(
    deps.db,
    waiting.map((offer) => ({ ...offer, stayed: true })),
    now,
  );
}

/**
 * Returns the offers that the leave concerns. Updates can be hours late: one that is older than the confirmation tells
 * of an earlier stay, and the check of the confirmation already saw the user back. Where the order of the two is
 * unclear, Telegram is asked.
 */
async function findLeft(
  deps: RecordMembershipDeps,
  resource: Resource,
  update: MembershipUpdate,
  offers: readonly Offer[],
): Promise<readonly Offer[]> {
  const concerned = offers.filter((offer) => isInWindow(offer, update.at));
  const unclear = concerned.filter((offer) => isOrderUnclear(offer, update.at));
  if (unclear.length === 0) return concerned;
  const verdict = await deps.probe.check(resource, update.userId, CHECK_TIMEOUT_MS);
  if (verdict === 'left' || verdict === 'removed') return concerned;
  // Without an answer the settlement job asks again; the update itself will not come a second time.
  if (verdict !== 'member') await checkSoon(deps.db, unclear, deps.clock.now());
  return concerned.filter((offer) => !unclear.includes(offer));
}
