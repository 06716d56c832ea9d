import { businessDay, latest } from '../../../core/clock.ts';
import { type Database, isUniqueViolation, type Transaction } from '../../../core/database.ts';
import type { Kopecks } from '../../../core/money.ts';
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
import { type BotChange, changeBots, lockBots, releasedBy } from '../bot-progress-store.ts';
import { isDone, type Round, type Task } from '../task.ts';
import {
  lapsedTasks,
  leftBehind,
  type Pair,
  pairKey,
  releaseOf,
  type TaskList,
  unpackShown,
  withoutLapsed,
  worthKeeping,
} from '../task-list.ts';
import { insertLists, lockLists, saveLists } from '../task-list-store.ts';
import { addShown } from '../totals-store.ts';
import { planTasks, type TaskRequest, type TaskSource } from './plan-tasks.ts';
import { type BotProgress, reservationLimit } from './reservation-limit.ts';

export interface Placement {
  readonly request: TaskRequest;
  /** The user's list as it was written when everything else in here was read. */
  readonly written: string | undefined;
  /** What the bot sent of the user, to be remembered. */
  readonly sent: object;
  /** Best first; a few more than are needed, since some may be taken by the time this is written. */
  readonly candidateIds: readonly number[];
  /** Resources that this user must not be shown, not even again. */
  readonly barredResources: ReadonlySet<number>;
  /** Resources to which the user belongs, as Telegram has just answered. */
  readonly memberResources: ReadonlySet<number>;
  /** Resources to which the user does not belong, as Telegram has just answered. */
  readonly outsideResources: ReadonlySet<number>;
  /** Chats to which the user is known to belong, with the first time at which the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
  /** Whether Telegram has ever told us of this user. An id that it never mentioned may be invented. */
  readonly isSeen: boolean;
  /** By order, what this user costs instead of the order's charge; absent when every user costs the same. */
  readonly charges?: ReadonlyMap<number, UserCharge>;
}

/** The charge of one user, computed from the order as it was when the tasks were chosen. */
export interface UserCharge {
  /** The order's charge at that time. */
  readonly ofOrder: Kopecks;
  readonly chargeKopecks: Kopecks;
}

/** How many tasks a bot without any proven conversion may have reserved at a time. */
export interface PlacementLimits {
  readonly reservationsOfNewBot: number;
}

export type Placed =
  | {
      readonly kind: 'placed';
      readonly tasks: readonly Task[];
      /** Candidates that turned out to have no room. */
      readonly fullOrders: readonly number[];
    }
  /** The list was changed in the meantime, and with it perhaps what may be shown: read everything anew. */
  | { readonly kind: 'outdated' };

/** How often a batch may find that somebody else has just begun a list that it was about to begin. */
const MAX_ATTEMPTS = 5;

/**
 * Decides and writes what many users are shown, in one transaction. Under the locks of the users' lists and of the
 * orders, so that a slot or a kopeck is never promised twice.
 */
export async function placeTasks(
  db: Database,
  placements: readonly Placement[],
  limits: PlacementLimits,
): Promise<Placed[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await placeOnce(db, placements, { ...limits, isExpectedNew: attempt === 1 });
    } catch (error) {
      // Somebody else has begun a list in the moment since we looked; the next attempt looks for it and locks it.
      if (!isUniqueViolation(error) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function placeOnce(
  db: Database,
  placements: readonly Placement[],
  { isExpectedNew, reservationsOfNewBot }: PlacementLimits & { readonly isExpectedNew: boolean },
): Promise<Placed[]> {
  const now = latest(placements.map(({ request }) => request.now));
  return db.transaction(
    async (tx) => {
      const world = await lockWorld(tx, placements, { now, isExpectedNew });
      return { world, placed: placements.map((placement) => place(world, placement, reservationsOfNewBot)) };
    },
    async (tx, { world, placed }) => {
      await Promise.all([
        saveWorld(tx, world, now),
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

const NEW_BOT: BotProgress = { reservedCount: 0, shownTotal: 0, confirmedTotal: 0, reversedTotal: 0 };

/** A list as the plans of this batch change it one after another. */
interface PairState {
  readonly pair: Pair;
  accountId: number;
  round: Round | undefined;
  readonly tasks: Map<number, Task>;
  /** Tasks that our bot can no longer check: kept until they lapse, and shown to nobody. */
  hidden: readonly Task[];
  readonly lapsed: readonly Task[];
  readonly isNew: boolean;
  isChanged: boolean;
}

interface World {
  /** Those whose lists are as they were when their requests were read. */
  readonly pairs: ReadonlyMap<string, PairState>;
  readonly orders: ReadonlyMap<number, OrderTerms>;
  readonly openSlots: Map<number, number>;
  readonly bots: ReadonlyMap<number, BotProgress>;
  /** What each bot has reserved, as the plans of this batch change it. */
  readonly reservedBy: Map<number, number>;
  readonly lapsed: readonly Task[];
  readonly placed: Task[];
}

async function lockWorld(
  tx: Transaction,
  placements: readonly Placement[],
  { now, isExpectedNew }: { readonly now: Date; readonly isExpectedNew: boolean },
): Promise<World> {
  const orderIds = ordersConcerned(placements);
  // Who had no list when the request was read has none, nearly always; if that is wrong the insert fails.
  const listed = isExpectedNew ? placements.filter(({ written }) => written !== undefined) : placements;
  const botIds = [...new Set(placements.map(({ request }) => request.botId))];
  // Sent together; each statement sees what is committed when it begins, and the last two begin under the locks.
  const [lists, progress, bots, found, escrowOf] = await Promise.all([
    lockLists(
      tx,
      listed.map(({ request }) => request),
    ),
    lockProgress(tx, orderIds),
    lockBots(tx, botIds),
    findTerms(tx, orderIds),
    readBalances(tx, orderIds.map(escrow)),
  ]);
  const orders = new Map(found.map((order) => [order.id, order]));
  const pairs = new Map<string, PairState>();
  for (const { request, written } of placements) {
    const key = pairKey(request);
    const list = lists.get(key);
    if (list?.written === written && !pairs.has(key)) pairs.set(key, pairState(request, list, orders, now));
  }
  const lapsed = [...pairs.values()].flatMap((pair) => pair.lapsed);

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
  return { pairs, orders, openSlots: slots, bots, reservedBy, lapsed, placed: [] };
}

/** The orders that may be shown, and those of the tasks that are listed: what else a list has come to hold is outdated. */
function ordersConcerned(placements: readonly Placement[]): number[] {
  const orderIds = new Set<number>();
  for (const { request, candidateIds, written } of placements) {
    for (const orderId of candidateIds) orderIds.add(orderId);
    const listed = written === undefined ? [] : unpackShown(request, written);
    for (const task of listed) if (!isDone(task)) orderIds.add(task.orderId);
  }
  return [...orderIds];
}

function pairState(
  { userId, botId, accountId }: TaskRequest,
  list: (TaskList & { readonly written: string }) | undefined,
  orders: ReadonlyMap<number, OrderTerms>,
  now: Date,
): PairState {
  const tasks = new Map<number, Task>();
  const hidden: Task[] = [];
  const lapsed = list === undefined ? [] : lapsedTasks(list, now);
  for (const task of list === undefined ? [] : withoutLapsed(list, now).tasks) {
    if (orders.get(task.orderId)?.pauseReason === 'access_lost') hidden.push(task);
    else tasks.set(task.orderId, task);
  }
  return {
    pair: { userId, botId },
    accountId,
    round: list?.round,
    tasks,
    hidden,
    lapsed,
    isNew: list === undefined,
    isChanged: lapsed.length > 0,
  };
}

function place(world: World, placement: Placement, reservationsOfNewBot: number): Placed {
  const { request, candidateIds, barredResources, memberResources, outsideResources, memberOf, isSeen, charges } =
    placement;
  const pair = world.pairs.get(pairKey(request));
  if (pair === undefined) return { kind: 'outdated' };
  const fullOrders: number[] = [];
  const { botId } = request;
  const limit = reservationLimit(world.bots.get(botId) ?? NEW_BOT, { ofNewBot: reservationsOfNewBot, isSeen });

  const showable = (orderId: number): OrderTerms | undefined => {
    const order = world.orders.get(orderId);
    if (order === undefined || order.status !== 'active') return undefined;
    if (barredResources.has(order.resource.id)) return undefined;
    if (charges === undefined) return order;
    // Price or filters changed since: what this user costs is not known, so the order waits for the next request.
    const charge = charges.get(orderId);
    if (charge === undefined || charge.ofOrder !== order.chargeKopecks) return undefined;
    return { ...order, chargeKopecks: charge.chargeKopecks };
  };
  const isMember = ({ resource }: OrderTerms): boolean =>
    memberResources.has(resource.id) || memberOf.has(resource.chatId);
  const wasMemberBefore = ({ resource }: OrderTerms, task: Task): boolean => {
    const since = memberOf.get(resource.chatId);
    return since !== undefined && since < task.shownAt;
  };
  const source: TaskSource = {
    candidates: candidateIds
      .filter((orderId) => (pair.tasks.get(orderId)?.state ?? 'expired') === 'expired')
      .map(showable)
      .filter((order) => order !== undefined)
      .filter((order) => !isMember(order)),
    again(task) {
      const order = showable(task.orderId);
      return order === undefined || wasMemberBefore(order, task) ? undefined : order;
    },
    hasJoinedSince(task) {
      const order = world.orders.get(task.orderId);
      return order !== undefined && isMember(order) && !wasMemberBefore(order, task);
    },
    isOutside: ({ resource }) => outsideResources.has(resource.id),
    take(order) {
      const left = world.openSlots.get(order.id) ?? 0;
      const reserved = world.reservedBy.get(botId) ?? 0;
      const isCapped = reserved >= limit;
      if (left < 1 || (left === 1 && !isCapped)) fullOrders.push(order.id);
      if (left < 1) return undefined;
      if (isCapped) return 'unreserved';
      world.reservedBy.set(botId, reserved + 1);
      world.openSlots.set(order.id, left - 1);
      return 'shown';
    },
  };

  const plan = planTasks(request, { round: pair.round, tasks: [...pair.tasks.values()] }, source);
  const changed = [...plan.placed, ...plan.renewed];
  for (const task of changed) pair.tasks.set(task.orderId, task);
  if (plan.round !== undefined && plan.round.number !== pair.round?.number) {
    for (const [orderId, task] of pair.tasks) {
      if (task.round !== plan.round.number) pair.tasks.set(orderId, leftBehind(task, pair.round));
    }
    pair.hidden = pair.hidden.map((task) => leftBehind(task, pair.round));
  }
  if (plan.round !== undefined) pair.round = plan.round;
  pair.isChanged ||= changed.length > 0 || plan.round !== undefined;
  world.placed.push(...plan.placed);
  return { kind: 'placed', tasks: plan.tasks, fullOrders };
}

async function saveWorld(tx: Transaction, { pairs, lapsed, placed }: World, now: Date): Promise<void> {
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
  const changed = [...pairs.values()].filter((pair) => pair.isChanged);
  await Promise.all([
    insertLists(
      tx,
      changed.filter((pair) => pair.isNew).map((pair) => listOf(pair, now)),
    ),
    saveLists(
      tx,
      changed.filter((pair) => !pair.isNew).map((pair) => listOf(pair, now)),
    ),
    changeProgress(tx, changes, day),
    changeBots(tx, botChanges),
    addShown(tx, placed, day),
  ]);
}

function listOf({ pair, accountId, round, tasks, hidden }: PairState, now: Date): TaskList {
  return { ...pair, accountId, round, tasks: worthKeeping([...tasks.values(), ...hidden], round, now) };
}
