import { addSeconds, systemClock } from '../../../core/clock.ts';
import { findLosses, findMemberships, type Membership, readHeard } from '../../audience/index.ts';
import { isExternal, type OrderBook, type Resource } from '../../orders/index.ts';
import type { AccessWatch } from '../access/access-watch.ts';
import { dateJoin, type Hearing, isListening, type JoinDate, mayHaveLostJoin } from '../confirm/dated-join.ts';
import { isLate, isWaitOver, leftAfterWindow, leftInWindow } from './late-check.ts';
import type { MembershipProbe } from '../membership.ts';
import { keyOf, type Offer } from '../task.ts';
import { type RecordRemovalsDeps, recordRemovals } from './record-removals.ts';
import { type Finding, settleOffers } from './settle-tasks.ts';
import { claimDueOffers } from './settle-store.ts';

export interface SettleDeps extends RecordRemovalsDeps {
  readonly book: OrderBook;
  readonly probe: MembershipProbe;
  readonly access: AccessWatch;
}

/** A killed worker's offers fall due again after this long; so do those for which Telegram had no answer. */
const LEASE_SECONDS = 30;
const BATCH = 100;
const CHECK_TIMEOUT_MS = 5_000;

/** Looks at every offer that is due and acts on what it finds. Answers how many it took in hand. */
export async function settleDue(deps: SettleDeps, signal?: AbortSignal): Promise<number> {
  let taken = 0;
  while (signal?.aborted !== true) {
    const now = deps.clock.now();
    const due = await claimDueOffers(deps.db, { now, leaseUntil: addSeconds(now, LEASE_SECONDS), limit: BATCH });
    if (due.length === 0) break;
    taken += due.length;
    const findings = await inspect(deps, due);
    await settleOffers(deps.db, findings, deps.clock.now());
  }
  return taken;
}

/** Offers about which nothing could be found out are left out: their lease brings them back. */
async function inspect(deps: SettleDeps, offers: readonly Offer[]): Promise<Finding[]> {
  const orders = await deps.book.lookup([...new Set(offers.map((offer) => offer.orderId))]);
  const resources = new Map<string, Resource>();
  for (const offer of offers) {
    const order = orders.get(offer.orderId);
    if (order !== undefined) resources.set(keyOf(offer), order.resource);
  }
  const memberships = await findMemberships(
    deps.db,
    offers.flatMap((offer) => {
      const chatId = resources.get(keyOf(offer))?.chatId;
      return chatId === undefined ? [] : [{ userId: offer.userId, chatId }];
    }),
  );
  const hearing = { heard: await readHeard(deps.db), losses: await findLosses(deps.db, earliest(offers)) };
  const knownOf = new Map(memberships.map((known) => [`${known.userId}:${known.chatId}`, known]));

  const findings = await Promise.all(
    offers.map(async (offer): Promise<Finding | undefined> => {
      const resource = resources.get(keyOf(offer));
      if (resource === undefined) return undefined;
      // Silence of the advertiser's side is a no; once it has agreed, there is nobody who could be asked again.
      if (isExternal(resource)) return { ...offer, stayed: offer.state !== 'pending' };
      const known = knownOf.get(`${offer.userId}:${resource.chatId}`);
      const stayed = await hasStayed(deps, resource, offer, known);
      if (stayed !== true) return stayed === undefined ? undefined : { ...offer, stayed };
      const isDated = isJoinDated(offer, dateJoin(offer, resource, known), hearing, deps.clock.now());
      return isDated === undefined ? undefined : { ...offer, stayed, isDated };
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

/** Returns nothing while Telegram does not answer and the wait for it is not over. */
async function hasStayed(
  deps: SettleDeps,
  resource: Resource,
  offer: Offer,
  known: Membership | undefined,
): Promise<boolean | undefined> {
  if (offer.keptAt !== null || leftAfterWindow(offer, known)) return true;
  const verdict = await deps.probe.checkInTurn(resource, offer.userId, CHECK_TIMEOUT_MS);
  const now = deps.clock.now();
  switch (verdict) {
    case 'member':
      return true;
    case 'removed':
      await recordRemovals(deps, [offer]);
      return true;
    case 'left':
      return isLate(offer, now) && !leftInWindow(offer, known);
    case 'no_access':
      await deps.access.doubt([resource], offer.userId);
      return isWaitOver(offer, now) ? true : undefined;
    case 'unavailable':
      return isWaitOver(offer, now) ? true : undefined;
  }
}

const earliest = (offers: readonly Offer[]): Date =>
  new Date(Math.min(...offers.map(({ offeredAt }) => offeredAt.getTime())));

/**
 * Whether the publisher is paid as far as the date of the join decides it; nothing while updates may still arrive that
 * tell. Updates that were lost, and a wait that takes too long, are no fault of the user.
 */
function isJoinDated(offer: Offer, joined: JoinDate, hearing: Hearing, now: Date): boolean | undefined {
  if (joined !== 'unknown') return joined === 'after';
  if (offer.keptAt !== null || mayHaveLostJoin(offer, hearing)) return true;
  const isOver = offer.windowEndsAt !== null && offer.windowEndsAt <= now;
  if (!isOver || isListening(hearing, systemClock.now())) return false;
  return isWaitOver({ ...offer, state: 'paid' }, now) ? true : undefined;
}
