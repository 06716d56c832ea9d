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
import { changeBots } from '../bot-progress-store.ts';
import { freeClaims, lockTasks, moveTasks, type TaskMove } from '../confirm/confirm-store.ts';
import { confirmedEvents, rejectedEvents, reversedEvents } from '../subscription-events.ts';
import { isReversible, keyOf, type Task, type TaskKey } from '../task.ts';
import { addToTotals, type TotalsChange } from '../totals-store.ts';
import { startWindow } from '../window.ts';

/**
 * What was found out about a counted subscription: the user stayed, or left in time for the reward to be taken back. Of
 * one that waits for the advertiser's side: it agreed, or it did not.
 */
export interface Finding extends TaskKey {
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
export async function settleTasks(db: Database, findings: readonly Finding[], now: Date): Promise<void> {
  if (findings.length === 0) return;
  await db.transaction(async (tx) => {
    await actOnFindings(tx, findings, now);
  });
}

/** The same in the caller's transaction. Returns the tasks that it changed, as they were before. */
export async function actOnFindings(tx: Transaction, findings: readonly Finding[], now: Date): Promise<Task[]> {
  const findingOf = new Map(findings.map((finding) => [keyOf(finding), finding]));
  const tasks = (await lockTasks(tx, findings)).filter((task) => canActOn(task, findingOf.get(keyOf(task))));
  const effects = tasks.map((task) => {
    const finding = findingOf.get(keyOf(task));
    const stayed = finding?.byOperator !== true && (task.keptAt !== null || finding?.stayed === true);
    if (!stayed) return reverse(task, now, finding?.onlyPending === true ? 'rejected' : 'no_answer');
    return task.state === 'pending' ? agree(task, now) : keep(task, now, finding?.isDated !== false);
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
  await publishOrders(tx, [...new Set(effects.flatMap((effect) => (effect.freesSlot ? effect.move.orderId : [])))]);
  await pauseForLowApproval(
    tx,
    effects.flatMap(({ freesClaim }) => freesClaim?.orderId ?? []),
    now,
  );
  const ownerOf = new Map((await findOrders(tx, orderIds)).map((order) => [order.id, order.accountId]));
  const told = effects.flatMap(({ move, tells }) => tells?.(ownerOf.get(move.orderId) ?? 0) ?? []);
  await recordEvents(tx, [...told, ...completed], now);
  return tasks;
}

function canActOn(task: Task, finding: Finding | undefined): boolean {
  if (finding?.byOperator === true) return isReversible(task) || task.state === 'settled';
  return isReversible(task) && (task.state === 'pending' || finding?.onlyPending !== true);
}

interface Effect {
  readonly move: TaskMove;
  readonly transfers: readonly Transfer[];
  readonly progress?: ProgressChange;
  readonly totals?: TotalsChange;
  readonly freesSlot?: boolean;
  /** The user may be counted for the resource again. */
  readonly freesClaim?: Task;
  /** What both sides are to be told, given who the advertiser is. */
  readonly tells?: (advertiserId: number) => readonly NewEvent[];
}

/** The user stayed: what is due now leaves hold, and when the window is over the task is settled for good. */
function keep(task: Task, now: Date, isDated: boolean): Effect {
  const { releaseAt, windowEndsAt } = task;
  const isReleased = task.state === 'paid';
  const releases = isDated && !isReleased && releaseAt !== null && releaseAt <= now;
  const settles = windowEndsAt !== null && windowEndsAt <= now;
  const transfers: Transfer[] = releases ? [rewardReleasedTransfer(task)] : [];
  if (settles && !isDated) return refuse(task, now);
  if (settles) {
    return {
      move: { ...task, state: 'settled', nextCheckAt: null, settledAt: now },
      transfers,
      progress: { orderId: task.orderId, unsettled: -1 },
    };
  }
  const state = releases ? 'paid' : task.state;
  const nextCheckAt = state === 'paid' || !isDated ? windowEndsAt : releaseAt;
  return { move: { ...task, state, nextCheckAt }, transfers };
}

/** The advertiser's side agreed: from now on it is a subscription like any other. */
function agree(task: Task, now: Date): Effect {
  const window = startWindow(task, now);
  return {
    move: { ...task, ...window },
    transfers: window.state === 'paid' ? [rewardReleasedTransfer(task)] : [],
    progress: { orderId: task.orderId, approved: 1 },
    tells: (advertiserId) => confirmedEvents(task, { advertiserId, at: now, inHold: task.holdSeconds > 0 }),
  };
}

/**
 * The user left, or the advertiser's side did not agree: the publisher loses the reward; with refund on, the order gets
 * its money and its slot back.
 */
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
    ...(isRejected && { freesClaim: task }),
    // A subscription that only waited to be one was never announced as confirmed, so it is not announced as reversed.
    tells: (advertiserId) =>
      isRejected ? rejectedEvents(task, { advertiserId, reason, at: now }) : reversedEvents(task, advertiserId, now),
  };
}

/** The user was a member before the showing, as far as we could find out: nothing was bought, and nothing is paid. */
function refuse(task: Task, now: Date): Effect {
  const effect = reverse({ ...task, refund: true }, now, 'no_answer');
  return { ...effect, move: { ...effect.move, state: 'notgetted' } };
}
