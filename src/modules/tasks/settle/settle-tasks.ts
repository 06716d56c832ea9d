import { businessDay } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { type NewEvent, recordEvents } from '../../events/index.ts';
import { postTransfers, reversedTransfers, rewardReleasedTransfer, type Transfer } from '../../ledger/index.ts';
import {
  changeProgress,
  closeFinishedOrders,
  findOrders,
  lockProgress,
  type ProgressChange,
  pauseForLowApproval,
  publishOrders,
} from '../../orders/index.ts';
import { deleteSubscriptions, lockTasks, moveTasks, type TaskMove } from '../confirm/confirm-store.ts';
import { addToTotals, changeBots, type TotalsChange } from '../counters-store.ts';
import { confirmedEvents, rejectedEvents, reversedEvents } from '../subscription-events.ts';
import { isReversible, keyOf, startWindow, type Task, type TaskKey } from '../task.ts';

/** The result of checking a subscription: the user stayed or left. For a pending one, the advertiser's decision. */
export interface Settlement extends TaskKey {
  readonly stayed: boolean;
  /** Whether the join is dated after the showing. Without a date nothing leaves hold. */
  readonly isDated?: boolean;
  /** Whether the reward waits for the human check. The user may pass it until window and hold are over. */
  readonly awaitsCheck?: boolean;
  /** Applies only to a task that still waits for the advertiser's side. */
  readonly onlyPending?: boolean;
  /** An operator reverses the subscription, even a settled one. */
  readonly byOperator?: boolean;
}

/**
 * Applies many settlements in one transaction. Tasks that are no longer reversible stay as they are, so an update, the
 * last check and a repeated job may all report the same leave and it is reversed once.
 */
export async function settleTasks(db: Database, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  await db.transaction(async (tx) => {
    await applySettlements(tx, settlements, now);
  });
}

/** The same in the caller's transaction. Returns the tasks that it changed, as they were before. */
export async function applySettlements(
  tx: Transaction,
  settlements: readonly Settlement[],
  now: Date,
): Promise<Task[]> {
  const settlementOf = new Map(settlements.map((settlement) => [keyOf(settlement), settlement]));
  const tasks = (await lockTasks(tx, settlements)).filter((task) => canApply(task, settlementOf.get(keyOf(task))));
  const effects = tasks.map((task) => {
    const settlement = settlementOf.get(keyOf(task));
    const stayed = settlement?.byOperator !== true && (task.keptAt !== null || settlement?.stayed === true);
    if (!stayed) return reverse(task, now, settlement?.onlyPending === true ? 'rejected' : 'no_answer');
    return task.state === 'pending' ? approve(task, now) : keep(task, now, settlement);
  });
  const orderIds = [...new Set(tasks.map((task) => task.orderId))];

  await lockProgress(tx, orderIds);
  await moveTasks(
    tx,
    effects.map((effect) => effect.move),
  );
  await changeProgress(
    tx,
    effects.flatMap((effect) => effect.progress ?? []),
    businessDay(now),
  );
  await deleteSubscriptions(
    tx,
    effects.flatMap((effect) => effect.uncounts ?? []),
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
  await publishOrders(tx, [...new Set(effects.flatMap((effect) => (effect.freesSlot ? effect.move.orderId : [])))]);
  await pauseForLowApproval(
    tx,
    effects.flatMap(({ uncounts }) => uncounts?.orderId ?? []),
    now,
  );
  const ownerOf = new Map((await findOrders(tx, orderIds)).map((order) => [order.id, order.accountId]));
  const events = effects.flatMap((effect) => effect.eventsFor?.(ownerOf.get(effect.move.orderId) ?? 0) ?? []);
  await recordEvents(tx, [...events, ...completed], now);
  return tasks;
}

function canApply(task: Task, settlement: Settlement | undefined): boolean {
  if (settlement?.byOperator === true) return isReversible(task) || task.state === 'settled';
  return isReversible(task) && (task.state === 'pending' || settlement?.onlyPending !== true);
}

interface Effect {
  readonly move: TaskMove;
  readonly transfers: readonly Transfer[];
  readonly progress?: ProgressChange;
  readonly totals?: TotalsChange;
  readonly freesSlot?: boolean;
  /** The user may be counted for the resource again. */
  readonly uncounts?: Task;
  readonly eventsFor?: (advertiserId: number) => readonly NewEvent[];
}

/** The user stayed: a due reward leaves hold, and after the window the task is settled. */
function keep(
  task: Task,
  now: Date,
  { isDated = true, awaitsCheck = false }: Pick<Settlement, 'isDated' | 'awaitsCheck'> = {},
): Effect {
  const { releaseAt, windowEndsAt } = task;
  const isReleased = task.state === 'paid';
  const isHoldOver = releaseAt !== null && releaseAt <= now;
  const releases = isDated && !awaitsCheck && !isReleased && isHoldOver;
  const isOver = windowEndsAt !== null && windowEndsAt <= now;
  const transfers: Transfer[] = releases ? [rewardReleasedTransfer(task)] : [];
  // The hold of a watched source ends after the window. The join has to be dated by the end of the window.
  if (isOver && (!isDated || (awaitsCheck && isHoldOver))) return refuse(task, now);
  if (isOver && (isReleased || releases)) {
    return {
      move: { ...task, state: 'settled', nextCheckAt: null, settledAt: now },
      transfers,
      progress: { orderId: task.orderId, unsettled: -1 },
    };
  }
  const state = releases ? 'paid' : task.state;
  return { move: { ...task, state, nextCheckAt: nextCheck(task, now) }, transfers };
}

/** Returns the first end of the hold or the window that is still to come. */
function nextCheck({ releaseAt, windowEndsAt }: Task, now: Date): Date | null {
  if (releaseAt === null || releaseAt <= now) return windowEndsAt;
  if (windowEndsAt === null || windowEndsAt <= now) return releaseAt;
  return releaseAt < windowEndsAt ? releaseAt : windowEndsAt;
}

/** The advertiser's side approved: the window of the subscription starts. */
function approve(task: Task, now: Date): Effect {
  const window = startWindow(task, now);
  return {
    move: { ...task, ...window },
    transfers: window.state === 'paid' ? [rewardReleasedTransfer(task)] : [],
    progress: { orderId: task.orderId, approved: 1 },
    eventsFor: (advertiserId) => confirmedEvents(task, { advertiserId, at: now, inHold: task.holdSeconds > 0 }),
  };
}

/** The user left, or the advertiser's side refused: the publisher loses the reward, and refund returns charge and slot. */
function reverse(task: Task, now: Date, reason: 'rejected' | 'no_answer'): Effect {
  const { orderId, rewardKopecks, chargeKopecks, refund } = task;
  const isRejected = task.state === 'pending';
  const isSettled = task.state === 'settled';
  const isHeld = !isSettled && task.state !== 'paid';
  return {
    move: { ...task, state: isRejected ? 'rejected' : 'reversed', nextCheckAt: null },
    transfers: reversedTransfers(task, { isPending: isRejected, isHeld, refund }),
    progress: {
      orderId,
      unsettled: isSettled ? 0 : -1,
      counted: refund ? -1 : 0,
      reversed: 1,
      spentKopecks: refund ? -chargeKopecks : 0n,
      ...(isRejected && { declined: 1 }),
    },
    totals: {
      botId: task.botId,
      orderId,
      reversed: 1,
      reversedRewardKopecks: rewardKopecks,
      returnedChargeKopecks: refund ? chargeKopecks : 0n,
    },
    freesSlot: refund,
    ...(isRejected && { uncounts: task }),
    // A pending subscription had no `confirmed` event, so it gets no `reversed` event.
    eventsFor: (advertiserId) =>
      isRejected ? rejectedEvents(task, { advertiserId, reason, at: now }) : reversedEvents(task, advertiserId, now),
  };
}

/** The join has no date after the showing, or the user did not pass the human check in time: nothing is paid. */
function refuse(task: Task, now: Date): Effect {
  const effect = reverse({ ...task, refund: true }, now, 'no_answer');
  return { ...effect, move: { ...effect.move, state: 'notgetted' } };
}
