import { businessDay, latest } from '../../../core/clock.ts';
import { type Database, isUniqueViolation, type Transaction } from '../../../core/database.ts';
import { recordSeen } from '../../audience/index.ts';
import { escrow, readBalances } from '../../ledger/index.ts';
import {
  changeProgress,
  findTerms,
  lockProgress,
  type OrderTerms,
  openSlots,
  type ProgressChange,
  slotsByTimetable,
} from '../../orders/index.ts';
import { addShown, type BotChange, changeBots, lockBots, releasedBy } from '../counters-store.ts';
import { isDone, type Task } from '../task.ts';
import {
  expireLapsed,
  keepConfirmable,
  lapsedTasks,
  listKeyOf,
  releaseOf,
  type TaskList,
  tasksToKeep,
  unpackShown,
} from '../task-list.ts';
import { insertLists, type LockedList, lockLists, saveLists } from '../task-list-store.ts';
import { createTaskSource, type DraftList, type Placement, type PlacementBatch } from './placement.ts';
import { planTasks, type TaskRequest } from './plan-tasks.ts';

export interface PlacementLimits {
  /** How many tasks a bot without proven conversion may have reserved at a time. */
  readonly reservationsOfNewBot: number;
}

export type Placed =
  | {
      readonly kind: 'placed';
      readonly tasks: readonly Task[];
      /** Candidates that have no slot left. */
      readonly fullOrders: readonly number[];
    }
  /** The list changed since it was read, so everything must be read again. */
  | { readonly kind: 'outdated' };

/** How often a batch may lose the race to insert a list. */
const MAX_ATTEMPTS = 5;

/**
 * Decides and writes the tasks of many users in one transaction. It holds the locks of the lists and the orders, so no
 * slot and no kopeck is promised twice.
 */
export async function placeTasks(
  db: Database,
  placements: readonly Placement[],
  limits: PlacementLimits,
): Promise<Placed[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryPlaceTasks(db, placements, { ...limits, expectsNewLists: attempt === 1 });
    } catch (error) {
      // Another transaction inserted one of the lists; the next attempt finds and locks it.
      if (!isUniqueViolation(error) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function tryPlaceTasks(
  db: Database,
  placements: readonly Placement[],
  { expectsNewLists, reservationsOfNewBot }: PlacementLimits & { readonly expectsNewLists: boolean },
): Promise<Placed[]> {
  const now = latest(placements.map(({ request }) => request.now));
  return db.transaction(
    async (tx) => {
      const batch = await lockBatch(tx, placements, { now, expectsNewLists });
      return { batch, placed: placements.map((placement) => place(batch, placement, reservationsOfNewBot)) };
    },
    async (tx, { batch, placed }) => {
      await Promise.all([
        saveBatch(tx, batch, now),
        recordSeen(
          tx,
          placements.map(({ request, sent }) => ({ userId: request.userId, facts: sent })),
          now,
        ),
      ]);
      return placed;
    },
  );
}

async function lockBatch(
  tx: Transaction,
  placements: readonly Placement[],
  { now, expectsNewLists }: { readonly now: Date; readonly expectsNewLists: boolean },
): Promise<PlacementBatch> {
  const orderIds = concernedOrders(placements);
  // A user without a list when the request was read nearly always has none now; if not, the insert fails.
  const listed = expectsNewLists ? placements.filter(({ packedTasks }) => packedTasks !== undefined) : placements;
  // One round trip. Each statement sees what was committed before it starts, and the last two start under the locks.
  const [locked, progress, bots, found, escrowOf] = await Promise.all([
    lockLists(
      tx,
      listed.map(({ request }) => request),
    ),
    lockProgress(tx, orderIds),
    lockBots(tx, [...new Set(placements.map(({ request }) => request.botId))]),
    findTerms(tx, orderIds),
    readBalances(tx, orderIds.map(escrow)),
  ]);
  const orders = new Map(found.map((order) => [order.id, order]));
  const lists = new Map<string, DraftList>();
  for (const { request, packedTasks } of placements) {
    const key = listKeyOf(request);
    const list = locked.get(key);
    if (list?.packedTasks === packedTasks && !lists.has(key)) lists.set(key, draftList(request, list, orders, now));
  }
  const lapsed = [...lists.values()].flatMap((list) => list.lapsed);

  const slots = new Map<number, number>();
  const day = businessDay(now);
  for (const [orderId, counters] of progress) {
    const order = orders.get(orderId);
    if (order === undefined) continue;
    const released = lapsed.filter((task) => task.orderId === orderId);
    const afterRelease = {
      ...counters,
      reservedCount: counters.reservedCount - released.length,
      reservedKopecks: released.reduce((left, task) => left - task.chargeKopecks, counters.reservedKopecks),
    };
    const room = openSlots(order, afterRelease, escrowOf(escrow(orderId)), day);
    slots.set(orderId, Math.min(room, slotsByTimetable(order, afterRelease, now)));
  }
  const reservedBy = new Map([...bots].map(([botId, { reservedCount }]) => [botId, reservedCount]));
  for (const { botId } of lapsed) reservedBy.set(botId, (reservedBy.get(botId) ?? 0) - 1);
  return { lists, orders, openSlots: slots, bots, reservedBy, lapsed, placed: [] };
}

/** Returns the candidates and the orders of listed tasks. A list with any other order has changed and is outdated. */
function concernedOrders(placements: readonly Placement[]): number[] {
  const orderIds = new Set<number>();
  for (const { request, candidateIds, packedTasks } of placements) {
    for (const orderId of candidateIds) orderIds.add(orderId);
    const listed = packedTasks === undefined ? [] : unpackShown(request, packedTasks);
    for (const task of listed) if (!isDone(task)) orderIds.add(task.orderId);
  }
  return [...orderIds];
}

function draftList(
  { userId, botId, accountId }: TaskRequest,
  list: LockedList | undefined,
  orders: ReadonlyMap<number, OrderTerms>,
  now: Date,
): DraftList {
  const tasks = new Map<number, Task>();
  const hidden: Task[] = [];
  const lapsed = list === undefined ? [] : lapsedTasks(list, now);
  for (const task of list === undefined ? [] : expireLapsed(list, now).tasks) {
    if (orders.get(task.orderId)?.pauseReason === 'access_lost') hidden.push(task);
    else tasks.set(task.orderId, task);
  }
  const isChanged = lapsed.length > 0;
  return { userId, botId, accountId, round: list?.round, tasks, hidden, lapsed, isNew: list === undefined, isChanged };
}

function place(batch: PlacementBatch, placement: Placement, reservationsOfNewBot: number): Placed {
  const list = batch.lists.get(listKeyOf(placement.request));
  if (list === undefined) return { kind: 'outdated' };
  const { source, fullOrders } = createTaskSource(batch, placement, { list, reservationsOfNewBot });
  const plan = planTasks(placement.request, { round: list.round, tasks: [...list.tasks.values()] }, source);
  const changed = [...plan.placed, ...plan.renewed];
  for (const task of changed) list.tasks.set(task.orderId, task);
  if (plan.round !== undefined && plan.round.number !== list.round?.number) {
    for (const [orderId, task] of list.tasks) {
      if (task.round !== plan.round.number) list.tasks.set(orderId, keepConfirmable(task, list.round));
    }
    list.hidden = list.hidden.map((task) => keepConfirmable(task, list.round));
  }
  list.round = plan.round ?? list.round;
  list.isChanged ||= changed.length > 0 || plan.round !== undefined;
  batch.placed.push(...plan.placed);
  return { kind: 'placed', tasks: plan.tasks, fullOrders };
}

async function saveBatch(tx: Transaction, { lists, lapsed, placed }: PlacementBatch, now: Date): Promise<void> {
  const day = businessDay(now);
  const changes: ProgressChange[] = [
    ...lapsed.map(releaseOf),
    ...placed.map(
      (task): ProgressChange =>
        task.state === 'shown'
          ? { orderId: task.orderId, reserved: 1, reservedKopecks: task.chargeKopecks, shown: 1 }
          : { orderId: task.orderId, shown: 1 },
    ),
  ];
  const botChanges: BotChange[] = [
    ...lapsed.map(releasedBy),
    ...placed.map(({ botId, state }) => ({ botId, shown: 1, reserved: state === 'shown' ? 1 : 0 })),
  ];
  const changed = [...lists.values()].filter((list) => list.isChanged);
  const toList = (list: DraftList): TaskList => ({
    ...list,
    tasks: tasksToKeep([...list.tasks.values(), ...list.hidden], list.round, now),
  });
  await Promise.all([
    insertLists(tx, changed.filter((list) => list.isNew).map(toList)),
    saveLists(tx, changed.filter((list) => !list.isNew).map(toList)),
    changeProgress(tx, changes, day),
    changeBots(tx, botChanges),
    addShown(tx, placed, day),
  ]);
}
