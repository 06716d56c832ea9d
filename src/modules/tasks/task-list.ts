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
 * What stands before a user in a bot: the running round, the tasks that wait to be done, and those of the round that are
 * done already. Kept as one row with the tasks as a text in it (migration 0013): one write for a first call and one read
 * for every later one, however many tasks there are.
 */
export interface TaskList {
  readonly userId: number;
  readonly botId: number;
  readonly accountId: number;
  readonly round: Round | undefined;
  readonly tasks: readonly Task[];
}

export interface Pair {
  readonly userId: number;
  readonly botId: number;
}

export const pairKey = ({ userId, botId }: Pair): string => `${userId}:${botId}`;

/** A task within its list, as it is written. Money is in kopecks, times are milliseconds of the epoch. */
type Packed = readonly [
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
    tasks.map((task): Packed => {
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

const unpack = ({ userId, botId }: Pair, accountId: number, packed: Packed): Task => ({
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

export function unpackTasks(pair: Pair, accountId: number, text: string): Task[] {
  return (JSON.parse(text) as Packed[]).map((packed) => unpack(pair, accountId, packed));
}

/** One task of a list, apart from whose it is. */
export function unpackTask(key: TaskKey, text: string): Omit<Task, 'accountId'> | undefined {
  const packed = (JSON.parse(text) as Packed[]).find(([orderId]) => orderId === key.orderId);
  return packed && unpack(key, 0, packed);
}

/** Only as much as it takes to show the tasks again: most requests of all need no more. */
export function unpackShown({ userId, botId }: Pair, text: string): ShownTask[] {
  return (JSON.parse(text) as Packed[]).map((packed) => ({
    userId,
    botId,
    orderId: packed[0],
    resourceId: packed[1],
    round: packed[2],
    position: packed[3],
    state: packed[4],
    expiresAt: new Date(packed[10]),
  }));
}

/** Lapsed tasks of earlier rounds that one list keeps; bounds the row of a user whose bot has very short rounds. */
const MAX_LATE = 50;

/**
 * What is worth keeping: every task that still has a slot reserved, of the running round also those that lapsed or are
 * done, and of earlier rounds those that lapsed and can still be confirmed. The rest has become history, which `tasks`
 * keeps as far as it matters.
 */
export function worthKeeping(tasks: Iterable<Task>, round: Round | undefined, now: Date): Task[] {
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

/** The task once a newer round begins: it stays confirmable for as long as its own round allowed. */
export function leftBehind(task: Task, ended: Round | undefined): Task {
  if (task.lateUntil !== null || isDone(task) || task.round === EXTRA_ROUND) return task;
  return { ...task, lateUntil: confirmableUntil(task, ended) };
}

/** When the first of the open tasks lapses. */
export function firstExpiry(tasks: readonly Task[]): Date | null {
  let first: Date | null = null;
  for (const { state, expiresAt } of tasks) {
    if (state === 'shown' && (first === null || expiresAt < first)) first = expiresAt;
  }
  return first;
}

/** Tasks that were not confirmed in time but still have their slots reserved. */
export function lapsedTasks({ tasks }: TaskList, now: Date): Task[] {
  return tasks.filter((task) => task.state === 'shown' && task.expiresAt <= now);
}

/** The same list with every task expired whose time is over. */
export function withoutLapsed(list: TaskList, now: Date): TaskList {
  const over = list.tasks.filter((task) => !isDone(task) && !isOpen(task, now));
  return withStates(list, new Map(over.map((task) => [task.orderId, 'expired'])));
}

/** What it means for the order that a task no longer has its slot and its charge reserved. */
export const releaseOf = ({ orderId, chargeKopecks }: Task): ProgressChange => ({
  orderId,
  reserved: -1,
  reservedKopecks: -chargeKopecks,
});

/** The same list with these of its tasks in another state. */
export function withStates(list: TaskList, stateOf: ReadonlyMap<number, TaskState>): TaskList {
  const tasks = list.tasks.map((task) => {
    const state = stateOf.get(task.orderId);
    return state === undefined || isDone(task) ? task : { ...task, state };
  });
  return { ...list, tasks };
}
