import { businessDay } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { type NewEvent, recordEvents } from '../../events/index.ts';
import { available, escrow, hold, platform, postTransfers, type Transfer } from '../../ledger/index.ts';
import {
  announce,
  changeProgress,
  closeFinishedOrders,
  findOrders,
  lockProgress,
  type ProgressChange,
  pauseForLowApproval,
} from '../../orders/index.ts';
import { changeBots } from '../bot-progress-store.ts';
import { freeClaims, lockOffers, moveOffers, type OfferMove } from '../confirm/confirm-store.ts';
import { claimName, isReversible, keyOf, type Offer, type OfferKey } from '../task.ts';
import { confirmedEvents, rejectedEvents, reversedEvents } from '../subscription-events.ts';
import { addToTotals, type TotalsChange } from '../totals-store.ts';
import { startWindow } from '../window.ts';

/**
 * What was found out about a counted subscription: the user stayed, or left in time for the reward to be taken back. Of
 * one that waits for the advertiser's side: it agreed, or it did not.
 */
export interface Finding extends OfferKey {
  readonly stayed: boolean;
  /** Whether the join is known to have followed the showing. Without that nothing leaves hold. */
  readonly isDated?: boolean;
  /** Concerns a task that waits for the advertiser's side, and no other. */
  readonly onlyPending?: boolean;
  /** An operator takes it back, whether it is settled or not. */
  readonly byOperator?: boolean;
}

/**
 * Acts on findings, many in one transaction. What is no longer reversible by then is left alone, so that an update, the
 * last check and a repeated job can all report the same leaving and it is reversed once.
 */
export async function settleOffers(db: Database, findings: readonly Finding[], now: Date): Promise<void> {
  if (findings.length === 0) return;
  await db.transaction(async (tx) => {
    await actOnFindings(tx, findings, now);
  });
}

/** The same in the caller's transaction. Returns the tasks that it changed, as they were before. */
export async function actOnFindings(tx: Transaction, findings: readonly Finding[], now: Date): Promise<Offer[]> {
  const findingOf = new Map(findings.map((finding) => [keyOf(finding), finding]));
  const offers = (await lockOffers(tx, findings)).filter((offer) => canActOn(offer, findingOf.get(keyOf(offer))));
  const effects = offers.map((offer) => {
    const finding = findingOf.get(keyOf(offer));
    const stayed = finding?.byOperator !== true && (offer.keptAt !== null || finding?.stayed === true);
    if (!stayed) return reverse(offer, now, finding?.onlyPending === true ? 'rejected' : 'no_answer');
    return offer.state === 'pending' ? agree(offer, now) : keep(offer, now, finding?.isDated !== false);
  });
  const orderIds = [...new Set(offers.map((offer) => offer.orderId))];

  await lockProgress(tx, orderIds);
  await moveOffers(
    tx,
    effects.map((effect) => effect.move),
  );
  await changeProgress(
    tx,
    effects.flatMap((effect) => effect.progress ?? []),
    businessDay(now),
  );
  await freeClaims(
    tx,
    effects.flatMap((effect) => effect.freesClaim ?? []),
  );
  await changeBots(
    tx,
    effects.flatMap(({ totals }) =>
      totals === undefined ? [] : { botId: totals.botId, reversed: totals.reversed ?? 0 },
    ),
  );
  await postTransfers(
    tx,
    effects.flatMap((effect) => effect.transfers),
    now,
  );
  const completed = await closeFinishedOrders(tx, orderIds, now);
  await addToTotals(
    tx,
    effects.flatMap((effect) => effect.totals ?? []),
    businessDay(now),
  );
  await announce(tx, [...new Set(effects.flatMap((effect) => (effect.freesSlot ? effect.move.orderId : [])))]);
  await pauseForLowApproval(
    tx,
    effects.flatMap(({ freesClaim }) => freesClaim?.orderId ?? []),
    now,
  );
  const ownerOf = new Map((await findOrders(tx, orderIds)).map((order) => [order.id, order.accountId]));
  const told = effects.flatMap(({ move, tells }) => tells?.(ownerOf.get(move.orderId) ?? 0) ?? []);
  await recordEvents(tx, [...told, ...completed], now);
  return offers;
}

function canActOn(offer: Offer, finding: Finding | undefined): boolean {
  if (finding?.byOperator === true) return isReversible(offer) || offer.state === 'settled';
  return isReversible(offer) && (offer.state === 'pending' || finding?.onlyPending !== true);
}

interface Effect {
  readonly move: OfferMove;
  readonly transfers: readonly Transfer[];
  readonly progress?: ProgressChange;
  readonly totals?: TotalsChange;
  readonly freesSlot?: boolean;
  /** The user may be counted for the resource again. */
  readonly freesClaim?: Offer;
  /** What both sides are to be told, given who the advertiser is. */
  readonly tells?: (advertiserId: number) => readonly NewEvent[];
}

/** The user stayed: what is due now leaves hold, and when the window is over the task is settled for good. */
function keep(offer: Offer, now: Date, isDated: boolean): Effect {
  const { releaseAt, windowEndsAt } = offer;
  const isReleased = offer.state === 'paid';
  const releases = isDated && !isReleased && releaseAt !== null && releaseAt <= now;
  const settles = windowEndsAt !== null && windowEndsAt <= now;
  const transfers: Transfer[] = releases ? [release(offer)] : [];
  if (settles && !isDated) return refuse(offer, now);
  if (settles) {
    return {
      move: { ...offer, state: 'settled', nextCheckAt: null, settledAt: now },
      transfers,
      progress: { orderId: offer.orderId, unsettled: -1 },
    };
  }
  const state = releases ? 'paid' : offer.state;
  const nextCheckAt = state === 'paid' || !isDated ? windowEndsAt : releaseAt;
  return { move: { ...offer, state, nextCheckAt }, transfers };
}

/** The advertiser's side agreed: from now on it is a subscription like any other. */
function agree(offer: Offer, now: Date): Effect {
  const window = startWindow(offer, now);
  return {
    move: { ...offer, ...window },
    transfers: window.state === 'paid' ? [release(offer)] : [],
    progress: { orderId: offer.orderId, approved: 1 },
    tells: (advertiserId) => confirmedEvents(offer, { advertiserId, at: now, inHold: offer.holdSeconds > 0 }),
  };
}

function release(offer: Offer): Transfer {
  return {
    key: `release:${offer.userId}:${offer.resourceId}`,
    from: hold(offer.accountId),
    to: available(offer.accountId),
    amountKopecks: offer.rewardKopecks,
  };
}

/**
 * The user left, or the advertiser's side did not agree: the publisher loses the reward; with refund on, the order gets
 * its money and its slot back.
 */
function reverse(offer: Offer, now: Date, reason: 'rejected' | 'no_answer'): Effect {
  const { orderId, accountId, rewardKopecks, chargeKopecks, refund } = offer;
  const isRejected = offer.state === 'pending';
  const claim = claimName(offer, { awaitsProvider: isRejected });
  const key = `reverse:${claim}`;
  const isSettled = offer.state === 'settled';
  const rewardFrom = isSettled || offer.state === 'paid' ? available(accountId) : hold(accountId);
  const transfers: Transfer[] = [
    {
      key: `${key}:reward`,
      from: rewardFrom,
      to: refund ? escrow(orderId) : platform(orderId),
      amountKopecks: rewardKopecks,
    },
  ];
  if (refund) {
    transfers.push({
      key: `${key}:margin`,
      from: platform(orderId),
      to: escrow(orderId),
      amountKopecks: chargeKopecks - rewardKopecks,
    });
  }
  return {
    move: { ...offer, state: isRejected ? 'rejected' : 'reversed', nextCheckAt: null },
    transfers,
    progress: {
      orderId,
      unsettled: isSettled ? 0 : -1,
      counted: refund ? -1 : 0,
      reversed: 1,
      spentKopecks: refund ? -chargeKopecks : 0n,
      ...(isRejected && { declined: 1 }),
    },
    totals: {
      botId: offer.botId,
      orderId,
      reversed: 1,
      reversedRewardKopecks: rewardKopecks,
      returnedChargeKopecks: refund ? chargeKopecks : 0n,
    },
    freesSlot: refund,
    ...(isRejected && { freesClaim: offer }),
    // A subscription that only waited to be one was never announced as confirmed, so it is not announced as reversed.
    tells: (advertiserId) =>
      isRejected ? rejectedEvents(offer, { advertiserId, reason, at: now }) : reversedEvents(offer, advertiserId, now),
  };
}

/** The user was a member before the showing, as far as we could find out: nothing was bought, and nothing is paid. */
function refuse(offer: Offer, now: Date): Effect {
  const effect = reverse({ ...offer, refund: true }, now, 'no_answer');
  return { ...effect, move: { ...effect.move, state: 'notgetted' } };
}
