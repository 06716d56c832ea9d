import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { recordMemberships } from '../audience/index.ts';
import { findResourceByChat } from '../orders/index.ts';
import { settleOffers } from './settle-offers.ts';
import { findReversibleOffers } from './settle-store.ts';

export interface MembershipUpdate {
  readonly userId: number;
  readonly chatId: number;
  readonly isMember: boolean;
  /** When it happened, or as soon after as can be known. */
  readonly at: Date;
}

/** Telegram told us that a user joined or left. Remembered, and a leaving in time takes the reward back at once. */
export async function recordMembershipUpdate(
  deps: { db: Database; clock: Clock },
  update: MembershipUpdate,
): Promise<void> {
  // Kept for every chat: one that nobody advertises today may be advertised tomorrow.
  await recordMemberships(deps.db, [{ ...update, source: 'update', observedAt: update.at }]);
  if (update.isMember) return;
  const resource = await findResourceByChat(deps.db, update.chatId);
  if (resource === undefined) return;
  const offers = await findReversibleOffers(deps.db, update.userId, resource.id);
  const inTime = offers.filter((offer) => offer.windowEndsAt !== null && update.at <= offer.windowEndsAt);
  await settleOffers(
    deps.db,
    inTime.map((offer) => ({ ...offer, stayed: false })),
    deps.clock.now(),
  );
}
