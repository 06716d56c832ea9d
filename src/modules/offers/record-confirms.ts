import { addSeconds, businessDay } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { recordEvents } from '../events/index.ts';
import { available, escrow, hold, platform, postTransfers, type Transfer } from '../ledger/index.ts';
import { changeProgress, closeFinishedOrders, lockProgress } from '../orders/index.ts';
import { type ConfirmOutcome, countedOutcome, decideForMember, outcomeOf } from './confirm.ts';
import { claimSubscriptions, insertOffers, lockOffers, moveOffers, type OfferMove } from './confirm-store.ts';
import { isDone, keyOf, type Offer, type OfferKey, type OfferState } from './offer.ts';
import { type LockedList, lockLists, saveLists } from './placement-store.ts';
import { confirmedEvents } from './subscription-events.ts';
import { pairKey, withStates } from './task-list.ts';
import { addToTotals } from './totals-store.ts';
import { startWindow } from './window.ts';

/** A confirm of a user whom Telegram has just called a member. */
export interface MemberConfirm extends OfferKey {
  readonly wasMemberBefore: boolean;
  /** Only the advertiser's side can tell whether the user came. */
  readonly awaitsProvider: boolean;
  /** Whose order it is. */
  readonly advertiserId: number;
  readonly now: Date;
}

/** How long the advertiser's side has to answer. */
const PROVIDER_SECONDS = 72 * 60 * 60;

/** Counts many confirms in one transaction: each is paid once, from what its offer had reserved, or not at all. */
export async function recordConfirms(db: Database, confirms: readonly MemberConfirm[]): Promise<ConfirmOutcome[]> {
  return db.transaction(async (tx) => {
    const lists = await lockLists(tx, confirms);
    const offers = await findOffers(tx, lists, confirms);
    const outcomes = new Map<string, ConfirmOutcome>();
    const toCount: Counting[] = [];
    const toRefuse: Refusal[] = [];
    for (const confirm of confirms) {
      const key = keyOf(confirm);
      const offer = offers.get(key);
      if (outcomes.has(key)) continue; // the same confirm twice in one batch: decided once, answered twice
      const decision = offer === undefined ? 'keep' : decideForMember(offer, confirm);
      if (offer === undefined || decision === 'keep') outcomes.set(key, outcomeOf(offer));
      else {
        (decision === 'refuse' ? toRefuse : toCount).push({ ...confirm, offer });
        outcomes.set(key, decision === 'refuse' ? { kind: 'not_counted' } : firstOutcome(offer, confirm));
      }
    }

    const losers = await count(tx, lists, toCount, toRefuse);
    for (const loser of losers) outcomes.set(keyOf(loser), { kind: 'not_counted' });
    return confirms.map((confirm) => outcomes.get(keyOf(confirm)) ?? { kind: 'not_shown' });
  });
}

/** These tasks as they stand under the locks: open ones in their lists, those decided before in rows of their own. */
async function findOffers(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  keys: readonly OfferKey[],
): Promise<Map<string, Offer>> {
  const found = new Map<string, Offer>();
  for (const { offers } of lists.values()) {
    for (const offer of offers) if (!isDone(offer)) found.set(keyOf(offer), offer);
  }
  const others = keys.filter((key) => !found.has(keyOf(key)));
  if (others.length > 0) for (const offer of await lockOffers(tx, others)) found.set(keyOf(offer), offer);
  return found;
}

const firstOutcome = (offer: Offer, { awaitsProvider }: MemberConfirm): ConfirmOutcome =>
  awaitsProvider ? { kind: 'pending', rewardKopecks: offer.rewardKopecks } : countedOutcome(offer);

interface Counting extends MemberConfirm {
  readonly offer: Offer;
}
type Refusal = Counting;

/** Answers the offers that came too late: their (user, resource) was counted by somebody else. */
async function count(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  toCount: readonly Counting[],
  toRefuse: readonly Refusal[],
): Promise<Offer[]> {
  const touched = [...toCount, ...toRefuse];
  const [first] = touched;
  if (first === undefined) return [];
  const now = touched.reduce((latest, item) => (item.now > latest ? item.now : latest), first.now);
  const day = businessDay(now);

  await lockProgress(tx, [...new Set(touched.map(({ offer }) => offer.orderId))]);
  const firstPerClaim = [...new Map([...toCount].reverse().map((item) => [claimOf(item.offer), item])).values()];
  const claimed = await claimSubscriptions(
    tx,
    firstPerClaim.map(({ offer }) => offer),
    now,
  );
  const claims = new Set(claimed.map(claimOf));
  const winners = firstPerClaim.filter(({ offer }) => claims.has(claimOf(offer)));
  const losers = toCount.filter((item) => !winners.includes(item));
  const refused = [...losers, ...toRefuse];

  await saveDecided(tx, lists, [...winners.map(counted), ...refused.map(notGetted)], touched);
  await changeProgress(
    tx,
    [
      ...winners.map(({ offer }) => ({
        ...release(offer),
        counted: 1,
        unsettled: 1,
        confirmed: 1,
        spentKopecks: offer.chargeKopecks,
      })),
      ...refused.filter(({ offer }) => offer.state === 'offered').map(({ offer }) => release(offer)),
    ],
    day,
  );
  const transfers = winners.flatMap(payment);
  const posted = await postTransfers(tx, transfers, now);
  assert(posted.size === transfers.filter((t) => t.amountKopecks > 0n).length, 'a claimed subscription is paid once');
  // A refusal frees what the offer had reserved; on an order closed in the meantime it goes back to the owner.
  const completed = await closeFinishedOrders(tx, [...new Set(refused.map(({ offer }) => offer.orderId))], now);
  // After everything that moves money: who waits here for a user's row must not hold balances that its holder needs.
  await addToTotals(
    tx,
    winners.map(({ offer }) => ({ ...offer, counted: 1 })),
    day,
  );
  const told = winners.flatMap(({ offer, advertiserId, awaitsProvider }) =>
    awaitsProvider ? [] : confirmedEvents(offer, advertiserId, now),
  );
  await recordEvents(tx, [...told, ...completed], now);
  return losers.map(({ offer }) => offer);
}

/** A task that leaves its list gets a row of its own; one that had a row before is moved on in it. */
async function saveDecided(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  decided: readonly (Offer & OfferMove)[],
  before: readonly Counting[],
): Promise<void> {
  const hadRow = new Set(before.filter(({ offer }) => isDone(offer)).map(({ offer }) => keyOf(offer)));
  const leaving = decided.filter((offer) => !hadRow.has(keyOf(offer)));
  const states = new Map<string, Map<number, OfferState>>();
  for (const offer of leaving) {
    const key = pairKey(offer);
    const ofPair = states.get(key) ?? new Map<number, OfferState>();
    states.set(key, ofPair.set(offer.orderId, offer.state));
  }
  const changed = [...states].flatMap(([key, ofPair]) => {
    const list = lists.get(key);
    return list === undefined ? [] : [withStates(list, ofPair)];
  });
  await Promise.all([
    insertOffers(tx, leaving),
    saveLists(tx, changed),
    moveOffers(
      tx,
      decided.filter((offer) => hadRow.has(keyOf(offer))),
    ),
  ]);
}

const claimOf = ({ userId, resourceId }: { userId: number; resourceId: number }): string => `${userId}:${resourceId}`;

const release = (offer: Offer) => ({
  orderId: offer.orderId,
  reserved: -1,
  reservedKopecks: -offer.chargeKopecks,
});

function counted({ offer, now, awaitsProvider }: Counting): Offer & OfferMove {
  if (!awaitsProvider) return { ...offer, ...startWindow(offer, now), confirmedAt: now };
  return { ...offer, state: 'pending', confirmedAt: now, nextCheckAt: addSeconds(now, PROVIDER_SECONDS) };
}

function notGetted({ offer, now }: Refusal): Offer & OfferMove {
  return { ...offer, state: 'notgetted', confirmedAt: now, nextCheckAt: null };
}

/** The charge leaves escrow: the reward for the publisher, the rest for the platform. */
function payment({ offer, awaitsProvider }: Counting): Transfer[] {
  const { orderId, accountId, rewardKopecks, chargeKopecks } = offer;
  const from = escrow(orderId);
  return [
    {
      key: `count:${claimOf(offer)}:reward`,
      from,
      to: awaitsProvider || offer.holdSeconds > 0 ? hold(accountId) : available(accountId),
      amountKopecks: rewardKopecks,
    },
    {
      key: `count:${claimOf(offer)}:margin`,
      from,
      to: platform(orderId),
      amountKopecks: chargeKopecks - rewardKopecks,
    },
  ];
}
