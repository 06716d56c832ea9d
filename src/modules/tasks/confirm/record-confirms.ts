import { addSeconds, businessDay, latest } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import { findListeners, recordEvents } from '../../events/index.ts';
import { countedTransfers, movesMoney, postTransfers, type Transfer } from '../../ledger/index.ts';
import {
  changeProgress,
  closeFinishedOrders,
  lockProgress,
  type ProgressChange,
  type ProgressOf,
} from '../../orders/index.ts';
import { addToTotals, changeBots, releasedBy } from '../counters-store.ts';
import { confirmedEvents } from '../subscription-events.ts';
import { confirmableUntil, isDone, keyOf, type Round, startWindow, type Task, type TaskState } from '../task.ts';
import { listKeyOf, releaseOf, withStates } from '../task-list.ts';
import { type LockedList, lockLists, saveLists } from '../task-list-store.ts';
import { type ConfirmOutcome, countedOutcome, decideForMember, outcomeOf } from './confirm-rules.ts';
import { findTasks, insertSubscriptions, insertTasks, lockTasks, moveTasks, type TaskMove } from './confirm-store.ts';
import type { ConfirmedTask, MemberConfirm } from './find-slots.ts';
import { selectCountable } from './select-countable.ts';

/** How long the advertiser's side has to decide. */
const PROVIDER_SECONDS = 72 * 60 * 60;

/** Counts many confirms in one transaction. Each is paid once, from its task's reservation, or not at all. */
export async function recordConfirms(db: Database, confirms: readonly MemberConfirm[]): Promise<ConfirmOutcome[]> {
  return db.transaction(async (tx) => {
    const { lists, tasks, decidedSince, progress } = await lockForConfirms(tx, confirms);
    const outcomes = new Map<string, ConfirmOutcome>();
    const reserved: ConfirmedTask[] = [];
    const toRefuse: ConfirmedTask[] = [];
    const late: ConfirmedTask[] = [];
    for (const confirm of confirms) {
      const key = keyOf(confirm);
      const locked = tasks.get(key);
      const task = withLeastHold(locked, confirm.leastHoldSeconds);
      if (outcomes.has(key)) continue; // a duplicate in the same batch gets the same outcome
      const isOver = task !== undefined && isPastConfirm(task, lists.get(listKeyOf(task))?.round, confirm.now);
      const decision = task === undefined ? 'keep' : decideForMember(task, { ...confirm, isOver });
      if (task === undefined || decision === 'keep') outcomes.set(key, outcomeOf(task ?? decidedSince.get(key)));
      else {
        const group = { count: reserved, count_if_room: late, refuse: toRefuse }[decision];
        const windowSeconds = (confirm.extendsWindow ? task : (locked ?? task)).holdSeconds;
        group.push({ ...confirm, task, windowSeconds });
        outcomes.set(key, decision === 'refuse' ? { kind: 'not_counted' } : firstOutcome(task, confirm));
      }
    }
    const { countable, full, refused } = await selectCountable(tx, { reserved, late }, progress);
    for (const item of full) outcomes.set(keyOf(item), { kind: 'order_full' });
    const alreadyCounted = await count(tx, lists, countable, [...toRefuse, ...refused]);
    for (const item of [...refused, ...alreadyCounted]) outcomes.set(keyOf(item), { kind: 'not_counted' });
    return confirms.map((confirm) => outcomes.get(keyOf(confirm)) ?? { kind: 'not_shown' });
  });
}

/** Lengthens the hold of an undecided task to that of its source. A decided one keeps the hold of its first confirm. */
function withLeastHold(task: Task | undefined, leastHoldSeconds: number): Task | undefined {
  if (task === undefined || isDone(task) || task.holdSeconds >= leastHoldSeconds) return task;
  return { ...task, holdSeconds: leastHoldSeconds };
}

const isPastConfirm = (task: Task, round: Round | undefined, now: Date): boolean =>
  !isDone(task) && confirmableUntil(task, round) <= now;

interface LockedForConfirms {
  readonly lists: ReadonlyMap<string, LockedList>;
  /** By `keyOf`. */
  readonly tasks: ReadonlyMap<string, Task>;
  /** Tasks that another confirm has decided since the request was read. They need only an outcome. */
  readonly decidedSince: ReadonlyMap<string, Task>;
  readonly progress: ProgressOf;
}

/** Locks the tasks (undecided ones in their lists, decided ones in their rows) and the counters of their orders. */
async function lockForConfirms(tx: Transaction, confirms: readonly MemberConfirm[]): Promise<LockedForConfirms> {
  const decidedBefore = confirms.filter((confirm) => confirm.wasDecided);
  const [lists, rows, progress] = await Promise.all([
    lockLists(tx, confirms),
    decidedBefore.length === 0 ? [] : lockTasks(tx, decidedBefore),
    lockProgress(tx, [...new Set(confirms.map(({ orderId }) => orderId))]),
  ]);
  const tasks = new Map(rows.map((task) => [keyOf(task), task]));
  for (const list of lists.values()) {
    for (const task of list.tasks) if (!isDone(task)) tasks.set(keyOf(task), task);
  }
  const missing = confirms.filter((confirm) => !tasks.has(keyOf(confirm)));
  const since = missing.length === 0 ? [] : await findTasks(tx, missing);
  return { lists, tasks, decidedSince: new Map(since.map((task) => [keyOf(task), task])), progress };
}

const firstOutcome = (task: Task, { awaitsProvider, isDated }: MemberConfirm): ConfirmOutcome =>
  awaitsProvider
    ? { kind: 'pending', rewardKopecks: task.rewardKopecks }
    : countedOutcome({ ...task, state: isDated ? task.state : 'held' });

/** Counts and pays tasks of different (user, resource) pairs. Returns those whose pair had been counted before. */
async function count(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  toCount: readonly ConfirmedTask[],
  toRefuse: readonly ConfirmedTask[],
): Promise<Task[]> {
  const touched = [...toCount, ...toRefuse];
  if (touched.length === 0) return [];
  const now = latest(touched.map((item) => item.now));
  const day = businessDay(now);

  const [inserted, listeners] = await Promise.all([
    insertSubscriptions(
      tx,
      toCount.map(({ task }) => task),
      now,
    ),
    findListeners(tx, [...new Set(toCount.flatMap(({ task, advertiserId }) => [task.accountId, advertiserId]))]),
  ]);
  const pairs = new Set(inserted.map(pairOf));
  const counted = toCount.filter(({ task }) => pairs.has(pairOf(task)));
  const alreadyCounted = toCount.filter(({ task }) => !pairs.has(pairOf(task)));
  const refused = [...alreadyCounted, ...toRefuse];
  const events = counted.flatMap(({ task, advertiserId, awaitsProvider, isDated }) =>
    awaitsProvider || !(listeners.has(task.accountId) || listeners.has(advertiserId))
      ? []
      : confirmedEvents(task, { advertiserId, at: now, inHold: task.holdSeconds > 0 || !isDated }),
  );

  // The statements run in the order of the locks. Totals come after the money: a transaction that waits for a user's
  // row there must not hold balances that the holder of the row needs.
  const moved = Promise.all([
    saveDecided(tx, lists, [...counted.map(toCounted), ...refused.map(toNotGetted)], touched),
    changeProgress(tx, [...counted.map(progressOfCounted), ...refused.flatMap(progressOfRefused)], day),
    changeBots(tx, [
      ...touched.flatMap(({ task }) => (task.state === 'shown' ? releasedBy(task) : [])),
      ...counted.map(({ task }) => ({ botId: task.botId, confirmed: 1 })),
    ]),
    pay(tx, counted, now),
  ]);
  // A refusal frees the task's reservation; the money of an order that was closed since goes back to its owner.
  const refusedOrders = [...new Set(refused.map(({ task }) => task.orderId))];
  const completed = refused.length === 0 ? [] : await moved.then(() => closeFinishedOrders(tx, refusedOrders, now));
  const totals = counted.map(({ task }) => ({ ...task, counted: 1 }));
  await Promise.all([moved, addToTotals(tx, totals, day), recordEvents(tx, [...events, ...completed], now)]);
  return alreadyCounted.map(({ task }) => task);
}

/** Inserts a row for each newly decided task, and updates the row of a task that was decided before. */
async function saveDecided(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  decided: readonly (Task & TaskMove)[],
  before: readonly ConfirmedTask[],
): Promise<void> {
  const hadRow = new Set(before.filter(({ task }) => isDone(task)).map(({ task }) => keyOf(task)));
  const leaving = decided.filter((task) => !hadRow.has(keyOf(task)));
  const states = new Map<string, Map<number, TaskState>>();
  for (const task of leaving) {
    const key = listKeyOf(task);
    const ofList = states.get(key) ?? new Map<number, TaskState>();
    states.set(key, ofList.set(task.orderId, task.state));
  }
  const changed = [...states].flatMap(([key, ofList]) => {
    const list = lists.get(key);
    return list === undefined ? [] : [withStates(list, ofList)];
  });
  await Promise.all([
    insertTasks(tx, leaving),
    saveLists(tx, changed),
    moveTasks(
      tx,
      decided.filter((task) => hadRow.has(keyOf(task))),
    ),
  ]);
}

const pairOf = ({ userId, resourceId }: { userId: number; resourceId: number }): string => `${userId}:${resourceId}`;

function progressOfCounted({ task }: ConfirmedTask): ProgressChange {
  const reservation = task.state === 'shown' ? releaseOf(task) : { orderId: task.orderId };
  return { ...reservation, counted: 1, unsettled: 1, confirmed: 1, spentKopecks: task.chargeKopecks };
}

const progressOfRefused = ({ task }: ConfirmedTask): ProgressChange[] =>
  task.state === 'shown' ? [releaseOf(task)] : [];

function toCounted({ task, now, awaitsProvider, isDated, windowSeconds }: ConfirmedTask): Task & TaskMove {
  if (!awaitsProvider) return { ...task, ...startWindow(task, now, isDated, windowSeconds), confirmedAt: now };
  return { ...task, state: 'pending', confirmedAt: now, nextCheckAt: addSeconds(now, PROVIDER_SECONDS) };
}

function toNotGetted({ task, now }: ConfirmedTask): Task & TaskMove {
  return { ...task, state: 'notgetted', confirmedAt: now, nextCheckAt: null };
}

async function pay(tx: Transaction, counted: readonly ConfirmedTask[], now: Date): Promise<void> {
  const transfers = counted.flatMap(payment);
  const posted = await postTransfers(tx, transfers, now);
  assert(posted.size === transfers.filter(movesMoney).length, 'a counted subscription is paid once');
}

function payment({ task, awaitsProvider, isDated }: ConfirmedTask): Transfer[] {
  const isHeld = awaitsProvider || !isDated || task.holdSeconds > 0;
  return countedTransfers(task, { isPending: awaitsProvider, isHeld });
}
