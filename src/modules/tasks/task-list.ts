import type { ProgressChange } from '../orders/index.ts';
import {
  confirmableUntil,
  EXTRA_ROUND,
  isDone,
  isOpen,
  type Round,
  type ShownTask,
  type Task,
  type TaskKey,
  type TaskState,
} from './task.ts';

/**
 * The tasks of one user in one bot: the running round with its open and done tasks, and late tasks of earlier rounds.
 * One row of `task_lists` holds all of it, with the tasks packed into one text: a first call writes one row, and every
 * later call reads one, however many tasks there are.
 */
export interface TaskList extends ListKey {
  readonly accountId: number;
  readonly round: Round | undefined;
  readonly tasks: readonly Task[];
}

export interface ListKey {
  readonly userId: number;
  readonly botId: number;
}

export const listKeyOf = ({ userId, botId }: ListKey): string => `${userId}:${botId}`;

/** A task as the list stores it. Money is in kopecks, times are milliseconds of the epoch. */
type PackedTask = readonly [
  orderId: number,
  resourceId: number,
  round: number,
  position: number,
  state: TaskState,
  chargeKopecks: number,
  rewardKopecks: number,
  holdSeconds: number,
  flags: number,
  shownAt: number,
  expiresAt: number,
  lateUntil?: number,
];

/** Bits of `flags`. The view `all_tasks` reads them too. */
const REFUND = 1;
const WAS_OUTSIDE = 2;

export function packTasks(tasks: readonly Task[]): string {
  return JSON.stringify(
    tasks.map((task): PackedTask => {
      const packed = [
        task.orderId,
        task.resourceId,
        task.round,
        task.position,
        task.state,
        Number(task.chargeKopecks),
        Number(task.rewardKopecks),
        task.holdSeconds,
        (task.refund ? REFUND : 0) | (task.wasOutside ? WAS_OUTSIDE : 0),
        task.shownAt.getTime(),
        task.expiresAt.getTime(),
      ] as const;
      return task.lateUntil === null ? packed : [...packed, task.lateUntil.getTime()];
    }),
  );
}

const unpack = ({ userId, botId }: ListKey, accountId: number, packed: PackedTask): Task => ({
  userId,
  botId,
  accountId,
  orderId: packed[0],
  resourceId: packed[1],
  round: packed[2],
  position: packed[3],
  state: packed[4],
  chargeKopecks: BigInt(packed[5]),
  rewardKopecks: BigInt(packed[6]),
  holdSeconds: packed[7],
  refund: (packed[8] & REFUND) !== 0,
  wasOutside: (packed[8] & WAS_OUTSIDE) !== 0,
  shownAt: new Date(packed[9]),
  expiresAt: new Date(packed[10]),
  lateUntil: packed[11] === undefined ? null : new Date(packed[11]),
  confirmedAt: null,
  releaseAt: null,
  windowEndsAt: null,
  keptAt: null,
});

export function unpackTasks(key: ListKey, accountId: number, packedTasks: string): Task[] {
  return (JSON.parse(packedTasks) as PackedTask[]).map((packed) => unpack(key, accountId, packed));
}

/** Returns one task of a list, without the publisher's account. */
export function unpackTask(key: TaskKey, packedTasks: string): Omit<Task, 'accountId'> | undefined {
  const packed = (JSON.parse(packedTasks) as PackedTask[]).find(([orderId]) => orderId === key.orderId);
  return packed && unpack(key, 0, packed);
}

/** Returns only the fields that showing the tasks again needs. Most requests need no more. */
export function unpackShown({ userId, botId }: ListKey, packedTasks: string): ShownTask[] {
  return (JSON.parse(packedTasks) as PackedTask[]).map((packed) => ({
    userId,
    botId,
    orderId: packed[0],
    resourceId: packed[1],
    round: packed[2],
    position: packed[3],
    state: packed[4],
    rewardKopecks: BigInt(packed[6]),
    expiresAt: new Date(packed[10]),
  }));
}

/** The most late tasks that a list keeps. Bounds the row of a user whose bot has very short rounds. */
const MAX_LATE = 50;

/**
 * Returns the tasks that a list must keep: reserved ones, all tasks of the running round, and expired tasks of earlier
 * rounds that can still be confirmed.
 */
export function tasksToKeep(tasks: Iterable<Task>, round: Round | undefined, now: Date): Task[] {
  const kept: Task[] = [];
  const late: Task[] = [];
  for (const task of tasks) {
    const isOfRound = round !== undefined && task.round === round.number;
    if (task.state === 'shown' || isOfRound) kept.push(task);
    else if (!isDone(task) && confirmableUntil(task, round) > now) late.push(task);
  }
  if (late.length > MAX_LATE) late.sort((a, b) => b.shownAt.getTime() - a.shownAt.getTime());
  return [...kept, ...late.slice(0, MAX_LATE)];
}

/** Returns a task of a round that a newer one replaces: it stays confirmable for as long as its own round allowed. */
export function keepConfirmable(task: Task, ended: Round | undefined): Task {
  if (task.lateUntil !== null || isDone(task) || task.round === EXTRA_ROUND) return task;
  return { ...task, lateUntil: confirmableUntil(task, ended) };
}

/** Returns when the first reservation of the list lapses. */
export function firstExpiry(tasks: readonly Task[]): Date | null {
  let first: Date | null = null;
  for (const { state, expiresAt } of tasks) {
    if (state === 'shown' && (first === null || expiresAt < first)) first = expiresAt;
  }
  return first;
}

/** Returns the tasks whose time is over but whose slots are still reserved. */
export function lapsedTasks({ tasks }: TaskList, now: Date): Task[] {
  return tasks.filter((task) => task.state === 'shown' && task.expiresAt <= now);
}

/** Returns the list with every task expired whose time is over. */
export function expireLapsed(list: TaskList, now: Date): TaskList {
  const over = list.tasks.filter((task) => !isDone(task) && !isOpen(task, now));
  return withStates(list, new Map(over.map((task) => [task.orderId, 'expired'])));
}

/** The change of the order's counters when a task gives up its reserved slot and charge. */
export const releaseOf = ({ orderId, chargeKopecks }: Task): ProgressChange => ({
  orderId,
  reserved: -1,
  reservedKopecks: -chargeKopecks,
});

/** Returns the list with new states for its undecided tasks, by order id. */
export function withStates(list: TaskList, stateOf: ReadonlyMap<number, TaskState>): TaskList {
  const tasks = list.tasks.map((task) => {
    const state = stateOf.get(task.orderId);
    return state === undefined || isDone(task) ? task : { ...task, state };
  });
  return { ...list, tasks };
}
