import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { recordMemberships } from '../audience/index.ts';
import { findResourceByChat, type Resource } from '../orders/index.ts';
import type { MembershipProbe } from './membership.ts';
import type { Offer } from './offer.ts';
import { settleOffers } from './settle-offers.ts';
import { checkSoon, findReversibleOffers } from './settle-store.ts';

export interface MembershipUpdate {
  readonly userId: number;
  readonly chatId: number;
  readonly isMember: boolean;
  /** When it happened, or as soon after as can be known. */
  readonly at: Date;
}

export interface RecordMembershipDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly probe: MembershipProbe;
}

/**
 * Updates carry whole seconds of Telegram's clock, confirmations carry ours. Nearer than this to each other, the two
 * dates do not say which came first.
 */
const UNCLEAR_SECONDS = 5;
const CHECK_TIMEOUT_MS = 4_000;

/** Stores that a user joined or left. A leave after the confirmation and within the window takes the reward back at once. */
export async function recordMembershipUpdate(deps: RecordMembershipDeps, update: MembershipUpdate): Promise<void> {
  // Kept for every chat: one that nobody advertises today may be advertised tomorrow.
  await recordMemberships(deps.db, [{ ...update, source: 'update', observedAt: update.at }]);
  if (update.isMember) return;
  const resource = await findResourceByChat(deps.db, update.chatId);
  if (resource === undefined) return;
  const offers = await findReversibleOffers(deps.db, update.userId, resource.id);
  const left = await findLeft(deps, resource, update, offers);
  await settleOffers(
    deps.db,
    left.map((offer) => ({ ...offer, stayed: false })),
    deps.clock.now(),
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
  { userId, at }: MembershipUpdate,
  offers: readonly Offer[],
): Promise<readonly Offer[]> {
  const concerned = offers.filter(
    ({ confirmedAt, windowEndsAt }) =>
      windowEndsAt !== null &&
      at <= windowEndsAt &&
      confirmedAt !== null &&
      addSeconds(at, UNCLEAR_SECONDS) >= confirmedAt,
  );
  const unclear = concerned.filter(
    ({ confirmedAt }) => confirmedAt !== null && at <= addSeconds(confirmedAt, UNCLEAR_SECONDS),
  );
  if (unclear.length === 0) return concerned;
  const verdict = await deps.probe.check(resource, userId, CHECK_TIMEOUT_MS);
  if (verdict === 'left') return concerned;
  // Without an answer the settlement job asks again; the update itself will not come a second time.
  if (verdict !== 'member') await checkSoon(deps.db, unclear, deps.clock.now());
  return concerned.filter((offer) => !unclear.includes(offer));
}
