import { addSeconds, businessDay, latest } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import { findListeners, recordEvents } from '../../events/index.ts';
import {
  countedTransfers,
  escrow,
  movesMoney,
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
import { confirmedEvents } from '../subscription-events.ts';
import { confirmableUntil, isDone, keyOf, type Round, type Task, type TaskKey, type TaskState } from '../task.ts';
import { pairKey, releaseOf, withStates } from '../task-list.ts';
import { type LockedList, lockLists, saveLists } from '../task-list-store.ts';
import { addToTotals } from '../totals-store.ts';
import { startWindow } from '../window.ts';
import { type ConfirmOutcome, countedOutcome, decideForMember, outcomeOf } from './confirm-rules.ts';
import { claimSubscriptions, findTasks, insertTasks, lockTasks, moveTasks, type TaskMove } from './confirm-store.ts';

/** A confirm of a user whom Telegram has just called a member. */
export interface MemberConfirm extends TaskKey {
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

/** Counts many confirms in one transaction: each is paid once, from what its task had reserved, or not at all. */
export async function recordConfirms(db: Database, confirms: readonly MemberConfirm[]): Promise<ConfirmOutcome[]> {
  return db.transaction(async (tx) => {
    const { lists, tasks, decidedSince, progress } = await lockForConfirms(tx, confirms);
    const outcomes = new Map<string, ConfirmOutcome>();
    const toCount: Counting[] = [];
    const toRefuse: Counting[] = [];
    const late: Counting[] = [];
    for (const confirm of confirms) {
      const key = keyOf(confirm);
      const task = tasks.get(key);
      if (outcomes.has(key)) continue; // the same confirm twice in one batch: decided once, answered twice
      const isOver = task !== undefined && isPastConfirm(task, lists.get(pairKey(task))?.round, confirm.now);
      const decision = task === undefined ? 'keep' : decideForMember(task, { ...confirm, isOver });
      if (task === undefined || decision === 'keep') outcomes.set(key, outcomeOf(task ?? decidedSince.get(key)));
      else {
        const group = { count: toCount, count_if_room: late, refuse: toRefuse }[decision];
        group.push({ ...confirm, task });
        outcomes.set(key, decision === 'refuse' ? { kind: 'not_counted' } : firstOutcome(task, confirm));
      }
    }
    if (late.length > 0) {
      const { fitting, full } = await findRoom(tx, late, progress);
      toCount.push(...fitting);
      for (const { task } of full) outcomes.set(keyOf(task), { kind: 'order_full' });
    }

    const losers = await count(tx, lists, toCount, toRefuse);
    for (const loser of losers) outcomes.set(keyOf(loser), { kind: 'not_counted' });
    return confirms.map((confirm) => outcomes.get(keyOf(confirm)) ?? { kind: 'not_shown' });
  });
}

const isPastConfirm = (task: Task, round: Round | undefined, now: Date): boolean =>
  !isDone(task) && confirmableUntil(task, round) <= now;

interface LockedForConfirms {
  readonly lists: ReadonlyMap<string, LockedList>;
  /** By their keys. */
  readonly tasks: ReadonlyMap<string, Task>;
  /** Open when the request was read, and decided since by a confirm that was faster: only the answer is wanted of these. */
  readonly decidedSince: ReadonlyMap<string, Task>;
  readonly progress: ProgressOf;
}

/** These tasks, alone in our hands together with their orders: open ones in their lists, decided ones in their rows. */
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

interface Counting extends MemberConfirm {
  readonly task: Task;
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
    const { task, now } = item;
    const order = termsOf.get(task.orderId);
    const counters = progress.get(task.orderId);
    if (order === undefined || counters === undefined || isClosed(order.status)) {
      full.push(item);
      continue;
    }
    // A lapsed task that no worker has expired yet still has its own reservation, which the counters include.
    const isReserved = ({ state }: Task): boolean => state === 'shown';
    const own = isReserved(task) ? 1 : 0;
    const taken = fitting.filter((other) => other.orderId === order.id && !isReserved(other.task));
    const room = openSlots(
      { ...order, chargeKopecks: task.chargeKopecks },
      {
        ...counters,
        reservedCount: counters.reservedCount - own + taken.length,
        reservedKopecks: taken.reduce(
          (sum, { task: other }) => sum + other.chargeKopecks,
          counters.reservedKopecks - (own === 1 ? task.chargeKopecks : 0n),
        ),
      },
      escrowOf(escrow(order.id)),
      businessDay(now),
    );
    (room >= 1 ? fitting : full).push(item);
  }
  return { fitting, full };
}

/** Answers the tasks that came too late: their (user, resource) was counted by somebody else. */
async function count(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  toCount: readonly Counting[],
  toRefuse: readonly Counting[],
): Promise<Task[]> {
  const touched = [...toCount, ...toRefuse];
  if (touched.length === 0) return [];
  const now = latest(touched.map((item) => item.now));
  const day = businessDay(now);

  const firstPerClaim = [...new Map([...toCount].reverse().map((item) => [claimOf(item.task), item])).values()];
  const [claimed, listeners] = await Promise.all([
    claimSubscriptions(
      tx,
      firstPerClaim.map(({ task }) => task),
      now,
    ),
    findListeners(tx, [...new Set(toCount.flatMap(({ task, advertiserId }) => [task.accountId, advertiserId]))]),
  ]);
  const claims = new Set(claimed.map(claimOf));
  const winners = firstPerClaim.filter(({ task }) => claims.has(claimOf(task)));
  const won = new Set(winners);
  const losers = toCount.filter((item) => !won.has(item));
  const refused = [...losers, ...toRefuse];
  const told = winners.flatMap(({ task, advertiserId, awaitsProvider, isDated }) =>
    awaitsProvider || !(listeners.has(task.accountId) || listeners.has(advertiserId))
      ? []
      : confirmedEvents(task, { advertiserId, at: now, inHold: task.holdSeconds > 0 || !isDated }),
  );

  // Handed over together and in this order, which is that of the locks. Totals come after everything that moves money:
  // who waits there for a user's row must not hold balances that its holder needs.
  const moved = Promise.all([
    saveDecided(tx, lists, [...winners.map(counted), ...refused.map(notGetted)], touched),
    changeProgress(tx, [...winners.map(progressOfCounted), ...refused.flatMap(progressOfRefused)], day),
    changeBots(tx, [
      ...touched.flatMap(({ task }) => (task.state === 'shown' ? releasedBy(task) : [])),
      ...winners.map(({ task }) => ({ botId: task.botId, confirmed: 1 })),
    ]),
    pay(tx, winners, now),
  ]);
  // A refusal frees what the task had reserved; on an order closed in the meantime it goes back to the owner.
  const refusedOrders = [...new Set(refused.map(({ task }) => task.orderId))];
  const completed = refused.length === 0 ? [] : await moved.then(() => closeFinishedOrders(tx, refusedOrders, now));
  const ofTotals = winners.map(({ task }) => ({ ...task, counted: 1 }));
  await Promise.all([moved, addToTotals(tx, ofTotals, day), recordEvents(tx, [...told, ...completed], now)]);
  return losers.map(({ task }) => task);
}

/** A task that leaves its list gets a row of its own; one that had a row before is moved on in it. */
async function saveDecided(
  tx: Transaction,
  lists: ReadonlyMap<string, LockedList>,
  decided: readonly (Task & TaskMove)[],
  before: readonly Counting[],
): Promise<void> {
  const hadRow = new Set(before.filter(({ task }) => isDone(task)).map(({ task }) => keyOf(task)));
  const leaving = decided.filter((task) => !hadRow.has(keyOf(task)));
  const states = new Map<string, Map<number, TaskState>>();
  for (const task of leaving) {
    const key = pairKey(task);
    const ofPair = states.get(key) ?? new Map<number, TaskState>();
    states.set(key, ofPair.set(task.orderId, task.state));
  }
  const changed = [...states].flatMap(([key, ofPair]) => {
    const list = lists.get(key);
    return list === undefined ? [] : [withStates(list, ofPair)];
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

const claimOf = ({ userId, resourceId }: { userId: number; resourceId: number }): string => `${userId}:${resourceId}`;

function progressOfCounted({ task }: Counting): ProgressChange {
  const reservation = task.state === 'shown' ? releaseOf(task) : { orderId: task.orderId };
  return { ...reservation, counted: 1, unsettled: 1, confirmed: 1, spentKopecks: task.chargeKopecks };
}

const progressOfRefused = ({ task }: Counting): ProgressChange[] => (task.state === 'shown' ? [releaseOf(task)] : []);

function counted({ task, now, awaitsProvider, isDated }: Counting): Task & TaskMove {
  if (!awaitsProvider) return { ...task, ...startWindow(task, now, isDated), confirmedAt: now };
  return { ...task, state: 'pending', confirmedAt: now, nextCheckAt: addSeconds(now, PROVIDER_SECONDS) };
}

function notGetted({ task, now }: Counting): Task & TaskMove {
  return { ...task, state: 'notgetted', confirmedAt: now, nextCheckAt: null };
}

async function pay(tx: Transaction, winners: readonly Counting[], now: Date): Promise<void> {
  const transfers = winners.flatMap(payment);
  const posted = await postTransfers(tx, transfers, now);
  assert(posted.size === transfers.filter(movesMoney).length, 'a claimed subscription is paid once');
}

function payment({ task, awaitsProvider, isDated }: Counting): Transfer[] {
  const isHeld = awaitsProvider || !isDated || task.holdSeconds > 0;
  return countedTransfers(task, { isPending: awaitsProvider, isHeld });
}
