import { addSeconds, businessDay, latest } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import { findListeners, recordEvents } from '../../events/index.ts';
import {
  available,
  escrow,
  hold,
  movesMoney,
  platform,
  postTransfers,
  readBalances,
  type Transfer,
} from '../../ledger/index.ts';
import {
  changeProgress,
  closeFinishedOrders,
  findTerms,
  isClosed,
  lockProgress,
  openSlots,
  type ProgressChange,
  type ProgressOf,
} from '../../orders/index.ts';
import { changeBots, releasedBy } from '../bot-progress-store.ts';
import { type ConfirmOutcome, countedOutcome, decideForMember, outcomeOf } from './confirm.ts';
import {
  claimSubscriptions,
  findOffers,
  insertOffers,
  lockOffers,
  moveOffers,
  type OfferMove,
} from './confirm-store.ts';
import {
  claimName,
  confirmableUntil,
  isDone,
  keyOf,
  type Offer,
  type OfferKey,
  type OfferState,
  type Round,
} from '../task.ts';
import { type LockedList, lockLists, saveLists } from '../show/placement-store.ts';
import { confirmedEvents } from '../subscription-events.ts';
import { pairKey, releaseOf, withStates } from '../task-list.ts';
import { addToTotals } from '../totals-store.ts';
import { startWindow } from '../window.ts';

/** A confirm of a user whom Telegram has just called a member. */
export interface MemberConfirm extends OfferKey {
  readonly wasMemberBefore: boolean;
  /** Whether the join is known to have followed the showing. Until it is, the reward stays in hold. */
  readonly isDated: boolean;
  /** Only the advertiser's side can tell whether the user came. */
  readonly awaitsProvider: boolean;
  /** Whether an earlier confirm had decided this task when it was read. */
  readonly wasDecided: boolean;
  /** Whose order it is. */
  readonly advertiserId: number;
  readonly now: Date;
}

/** How long the advertiser's side has to answer. */
const PROVIDER_SECONDS = 72 * 60 * 60;

/** Counts many confirms in one transaction: each is paid once, from what its offer had reserved, or not at all. */
export async function recordConfirms(db: Database, confirms: readonly MemberConfirm[]): Promise<ConfirmOutcome[]> {
  return db.transaction(async (tx) => {
    const { lists, offers, decidedSince, progress } = await lockTasks(tx, confirms);
    const outcomes = new Map<string, ConfirmOutcome>();
    const toCount: Counting[] = [];
    const toRefuse: Counting[] = [];
    const late: Counting[] = [];
    for (const confirm of confirms) {
      const key = keyOf(confirm);
      const offer = offers.get(key);
      if (outcomes.has(key)) continue; // the same confirm twice in one batch: decided once, answered twice
      const isOver = offer !== undefined && isPastConfirm(offer, lists.get(pairKey(offer))?.round, confirm.now);
      const decision = offer === undefined ? 'keep' : decideForMember(offer, { ...confirm, isOver });
      if (offer === undefined || decision === 'keep') outcomes.set(key, outcomeOf(offer ?? decidedSince.get(key)));
      else {
        const group = { count: toCount, count_if_room: late, refuse: toRefuse }[decision];
        group.push({ ...confirm, offer });
        outcomes.set(key, decision === 'refuse' ? { kind: 'not_counted' } : firstOutcome(offer, confirm));
      }
    }
    if (late.length > 0) {
      const { fitting, full } = await findRoom(tx, late, progress);
      toCount.push(...fitting);
      for (const { offer } of full) outcomes.set(keyOf(offer), { kind: 'order_full' });
    }

    const losers = await count(tx, lists, toCount, toRefuse);
    for (const loser of losers) outcomes.set(keyOf(loser), { kind: 'not_counted' });
    return confirms.map((confirm) => outcomes.get(keyOf(confirm)) ?? { kind: 'not_shown' });
  });
}

const isPastConfirm = (offer: Offer, round: Round | undefined, now: Date): boolean =>
  !isDone(offer) && confirmableUntil(offer, round) <= now;

interface LockedTasks {
  readonly lists: ReadonlyMap<string, LockedList>;
  /** By their keys. */
  readonly offers: ReadonlyMap<string, Offer>;
  /** Open when the request was read, and decided since by a confirm that was faster: only the answer is wanted of these. */
  readonly decidedSince: ReadonlyMap<string, Offer>;
  readonly progress: ProgressOf;
}

/** These tasks, alone in our hands together with their orders: open ones in their lists, decided ones in their rows. */
async function lockTasks(tx: Transaction, confirms: readonly MemberConfirm[]): Promise<LockedTasks> {
  const decidedBefore = confirms.filter((confirm) => confirm.wasDecided);
  const [lists, rows, progress] = await Promise.all([
    lockLists(tx, confirms),
    decidedBefore.length === 0 ? [] : lockOffers(tx, decidedBefore),
    lockProgress(tx, [...new Set(confirms.map(({ orderId }) => orderId))]),
  ]);
  const offers = new Map(rows.map((offer) => [keyOf(offer), offer]));
  for (const list of lists.values()) {
    for (const offer of list.offers) if (!isDone(offer)) offers.set(keyOf(offer), offer);
  }
  const missing = confirms.filter((confirm) => !offers.has(keyOf(confirm)));
  const since = missing.length === 0 ? [] : await findOffers(tx, missing);
  return { lists, offers, decidedSince: new Map(since.map((offer) => [keyOf(offer), offer])), progress };
}

const firstOutcome = (offer: Offer, { awaitsProvider, isDated }: MemberConfirm): ConfirmOutcome =>
  awaitsProvider
    ? { kind: 'pending', rewardKopecks: offer.rewardKopecks }
    : countedOutcome({ ...offer, state: isDated ? offer.state : 'held' });

interface Counting extends MemberConfirm {
  readonly offer: Offer;
}

/**
 * Splits late confirms into those for which their order still has a slot and the money, at the terms of the task, and
 * those for which it has none. A late one takes its slot again, unless a closed order has paid its money back already.
 */
async function findRoom(
  tx: Transaction,
  late: readonly Counting[],
  progress: ProgressOf,
): Promise<{ readonly fitting: readonly Counting[]; readonly full: readonly Counting[] }> {
  const orderIds = [...new Set(late.map(({ orderId }) => orderId))];
  const [terms, escrowOf] = await Promise.all([findTerms(tx, orderIds), readBalances(tx, orderIds.map(escrow))]);
  const termsOf = new Map(terms.map((order) => [order.id, order]));
  const fitting: Counting[] = [];
  const full: Counting[] = [];
  for (const item of late) {
    const { offer, now } = item;
    const order = termsOf.get(offer.orderId);
    const counters = progress.get(offer.orderId);
    if (order === undefined || counters === undefined || isClosed(order.status)) {
      full.push(item);
      continue;
    }
    // A lapsed task that no worker has expired yet still has its own reservation, which the counters include.
    const isReserved = ({ state }: Offer): boolean => state === 'offered';
    const own = isReserved(offer) ? 1 : 0;
    const taken = fitting.filter((other) => other.orderId === order.id && !isReserved(other.offer));
    const room = openSlots(
      { ...order, chargeKopecks: offer.chargeKopecks },
      {
        ...counters,
        reservedCount: counters.reservedCount - own + taken.length,
        reservedKopecks: taken.reduce(
          (sum, { offer: other }) => sum + other.chargeKopecks,
          counters.reservedKopecks - (own === 1 ? offer.chargeKopecks : 0n),
        ),
      },
      escrowOf(escrow(order.id)),
      businessDay(now),
    );
    (room >= 1 ? fitting : full).push(item);
  }
  return { fitting, full };
}

/** Answers the offers that came too late: their (user, resource) was counted by somebody else. */
async function count(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  toCount: readonly Counting[],
  toRefuse: readonly Counting[],
): Promise<Offer[]> {
  const touched = [...toCount, ...toRefuse];
  if (touched.length === 0) return [];
  const now = latest(touched.map((item) => item.now));
  const day = businessDay(now);

  const firstPerClaim = [...new Map([...toCount].reverse().map((item) => [claimOf(item.offer), item])).values()];
  const [claimed, listeners] = await Promise.all([
    claimSubscriptions(
      tx,
      firstPerClaim.map(({ offer }) => offer),
      now,
    ),
    findListeners(tx, [...new Set(toCount.flatMap(({ offer, advertiserId }) => [offer.accountId, advertiserId]))]),
  ]);
  const claims = new Set(claimed.map(claimOf));
  const winners = firstPerClaim.filter(({ offer }) => claims.has(claimOf(offer)));
  const won = new Set(winners);
  const losers = toCount.filter((item) => !won.has(item));
  const refused = [...losers, ...toRefuse];
  const told = winners.flatMap(({ offer, advertiserId, awaitsProvider, isDated }) =>
    awaitsProvider || !(listeners.has(offer.accountId) || listeners.has(advertiserId))
      ? []
      : confirmedEvents(offer, { advertiserId, at: now, inHold: offer.holdSeconds > 0 || !isDated }),
  );

  // Handed over together and in this order, which is that of the locks. Totals come after everything that moves money:
  // who waits there for a user's row must not hold balances that its holder needs.
  const moved = Promise.all([
    saveDecided(tx, lists, [...winners.map(counted), ...refused.map(notGetted)], touched),
    changeProgress(tx, [...winners.map(progressOfCounted), ...refused.flatMap(progressOfRefused)], day),
    changeBots(tx, [
      ...touched.flatMap(({ offer }) => (offer.state === 'offered' ? releasedBy(offer) : [])),
      ...winners.map(({ offer }) => ({ botId: offer.botId, confirmed: 1 })),
    ]),
    pay(tx, winners, now),
  ]);
  // A refusal frees what the offer had reserved; on an order closed in the meantime it goes back to the owner.
  const refusedOrders = [...new Set(refused.map(({ offer }) => offer.orderId))];
  const completed = refused.length === 0 ? [] : await moved.then(() => closeFinishedOrders(tx, refusedOrders, now));
  const ofTotals = winners.map(({ offer }) => ({ ...offer, counted: 1 }));
  await Promise.all([moved, addToTotals(tx, ofTotals, day), recordEvents(tx, [...told, ...completed], now)]);
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

function progressOfCounted({ offer }: Counting): ProgressChange {
  const reservation = offer.state === 'offered' ? releaseOf(offer) : { orderId: offer.orderId };
  return { ...reservation, counted: 1, unsettled: 1, confirmed: 1, spentKopecks: offer.chargeKopecks };
}

const progressOfRefused = ({ offer }: Counting): ProgressChange[] =>
  offer.state === 'offered' ? [releaseOf(offer)] : [];

function counted({ offer, now, awaitsProvider, isDated }: Counting): Offer & OfferMove {
  if (!awaitsProvider) return { ...offer, ...startWindow(offer, now, isDated), confirmedAt: now };
  return { ...offer, state: 'pending', confirmedAt: now, nextCheckAt: addSeconds(now, PROVIDER_SECONDS) };
}

function notGetted({ offer, now }: Counting): Offer & OfferMove {
  return { ...offer, state: 'notgetted', confirmedAt: now, nextCheckAt: null };
}

async function pay(tx: Transaction, winners: readonly Counting[], now: Date): Promise<void> {
  const transfers = winners.flatMap(payment);
  const posted = await postTransfers(tx, transfers, now);
  assert(posted.size === transfers.filter(movesMoney).length, 'a claimed subscription is paid once');
}

/** The charge leaves escrow: the reward for the publisher, the rest for the platform. */
function payment({ offer, awaitsProvider, isDated }: Counting): Transfer[] {
  const { orderId, accountId, rewardKopecks, chargeKopecks } = offer;
  const from = escrow(orderId);
  const claim = claimName(offer, { awaitsProvider });
  return [
    {
      key: `count:${claim}:reward`,
      from,
      to: awaitsProvider || !isDated || offer.holdSeconds > 0 ? hold(accountId) : available(accountId),
      amountKopecks: rewardKopecks,
    },
    {
      key: `count:${claim}:margin`,
      from,
      to: platform(orderId),
      amountKopecks: chargeKopecks - rewardKopecks,
    },
  ];
}
