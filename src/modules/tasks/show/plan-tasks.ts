import { addSeconds } from '../../../core/clock.ts';
import type { OrderTerms } from '../../orders/index.ts';
import { confirmableUntil, EXTRA_ROUND, isDone, isOpen, type Round, type ShownTask, type Task } from '../task.ts';

/** What a bot asks for: the gate of a round, or extra tasks beyond it. */
export type TaskAction = 'subscribe' | 'newtask';

export interface TaskRequest {
  readonly userId: number;
  readonly botId: number;
  readonly accountId: number;
  readonly action: TaskAction;
  readonly max: number;
  readonly roundSeconds: number;
  readonly reservationSeconds: number;
  readonly now: Date;
}

/** What is known of a (user, bot) when a request is planned. */
export interface RoundState<T extends ShownTask = Task> {
  readonly round: Round | undefined;
  readonly tasks: readonly T[];
}

/** Where new tasks come from. */
export interface TaskSource {
  /** Orders to task, best first, none of which the user may not be shown. */
  readonly candidates: readonly OrderTerms[];
  /** The order behind an expired task, when the task may be shown to this user again. */
  again(task: Task): OrderTerms | undefined;
  /** Whether the user has joined the resource since the task was first shown, so that only the confirm is missing. */
  hasJoinedSince(task: Task): boolean;
  /** Whether a check has just said that the user is no member. */
  isOutside(order: OrderTerms): boolean;
  /**
   * Reserves a slot and the charge. `unreserved`: there is room, but the bot may not reserve more; the task is shown all
   * the same. `undefined`: there is no room.
   */
  take(order: OrderTerms): 'shown' | 'unreserved' | undefined;
}

export interface TaskPlan {
  /** What the user has still to do, in the order in which it was first shown. */
  readonly tasks: readonly Task[];
  /** Tasks newly shown; written as they are. */
  readonly placed: readonly Task[];
  /** Tasks whose time starts anew. */
  readonly renewed: readonly Task[];
  /** Set when the round is new or was widened. */
  readonly round: Round | undefined;
}

/**
 * How much of a task's life may pass before showing it again is worth a write. Bots ask on every message; without
 * this each message would be an update.
 */
const RENEWAL_FRACTION = 12;

/** Whether a request can be answered from what is known, with nothing to write. */
export function answerAsIs(request: TaskRequest, state: RoundState<ShownTask>): readonly ShownTask[] | undefined {
  const { now } = request;
  if (request.action !== 'subscribe') return undefined;
  const { round } = state;
  if (round === undefined || round.endsAt <= now || request.max > round.requested) return undefined;
  const outstanding = tasksOfRound(state, round.number).filter((task) => !isDone(task));
  const returned = outstanding.slice(0, request.max);
  if (returned.some((task) => !isOpen(task, now) || needsRenewal(task, request))) return undefined;
  return returned;
}

export function planTasks(request: TaskRequest, state: RoundState, source: TaskSource): TaskPlan {
  return request.action === 'newtask' ? planExtras(request, state, source) : planRound(request, state, source);
}

function planRound(request: TaskRequest, state: RoundState, source: TaskSource): TaskPlan {
  const { round } = state;
  return round !== undefined && round.endsAt > request.now
    ? continueRound(request, state, source, round)
    : openRound(request, state, source, (round?.number ?? 0) + 1);
}

function continueRound(request: TaskRequest, state: RoundState, source: TaskSource, round: Round): TaskPlan {
  const { now, max } = request;
  const plan = new PlanBuilder(request, state);
  const shown = tasksOfRound(state, round.number);
  for (const task of shown) {
    if (plan.taskCount >= max) break; // what is not returned is not renewed either: its order may need the slot
    if (isDone(task)) continue;
    if (isOpen(task, now)) plan.keep(task);
    else plan.tryAgain(task, source, task.round, task.position);
  }
  if (max <= round.requested) return plan.finish(undefined);

  const done = shown.filter(isDone).length;
  const lastPosition = shown.at(-1)?.position ?? 0;
  plan.fill(source.candidates, source, {
    count: max - done - plan.taskCount,
    round: round.number,
    after: lastPosition,
  });
  return plan.finish({ ...round, requested: max });
}

/**
 * Tasks still open from the round before come first, so that a user never loses one that was begun. So do lapsed ones
 * whose resource the user has joined since: a bot that asks for tasks before it confirms must get their ids.
 */
function openRound(request: TaskRequest, state: RoundState, source: TaskSource, number: number): TaskPlan {
  const { now, max, userId, botId, roundSeconds } = request;
  const plan = new PlanBuilder(request, state);
  const carried = state.tasks.filter((task) => task.round !== EXTRA_ROUND && isOpen(task, now)).sort(byPosition);
  for (const [index, task] of carried.entries()) {
    if (index < max) plan.show(task, number, index + 1);
    else plan.moveUnseen(task, number, index + 1);
  }
  const late = state.tasks.filter((task) => task.round !== EXTRA_ROUND && isLate(task, state.round, now));
  let position = carried.length;
  for (const task of late.sort(byPosition)) {
    if (plan.taskCount >= max) break;
    if (source.hasJoinedSince(task) && plan.tryAgain(task, source, number, position + 1)) position += 1;
  }
  plan.fill(source.candidates, source, { count: max - plan.taskCount, round: number, after: position });
  // Nothing to task opens no round: the next call may find something.
  if (plan.taskCount === 0) return plan.finish(undefined);
  return plan.finish({ userId, botId, number, requested: max, endsAt: addSeconds(now, roundSeconds) });
}

/** Beyond the round: what the running round has asked for, even in vain, stays the round's. */
function planExtras(request: TaskRequest, state: RoundState, source: TaskSource): TaskPlan {
  const { now, max } = request;
  const plan = new PlanBuilder(request, state);
  const extras = tasksOfRound(state, EXTRA_ROUND);
  for (const task of extras) {
    if (plan.taskCount >= max) break;
    if (isOpen(task, now)) plan.keep(task);
    else if (isLate(task, state.round, now) && source.hasJoinedSince(task)) {
      plan.tryAgain(task, source, task.round, task.position);
    }
  }

  const { round } = state;
  const running = round !== undefined && round.endsAt > now ? tasksOfRound(state, round.number) : [];
  const ofRound = new Set(running.filter((task) => !isDone(task)).map((task) => task.resourceId));
  plan.fill(
    source.candidates.filter((order) => !ofRound.has(order.resource.id)),
    source,
    { count: max - plan.taskCount, round: EXTRA_ROUND, after: extras.at(-1)?.position ?? 0 },
  );
  return plan.finish(undefined);
}

/** Whether a task has lost its reservation and can still be confirmed. */
const isLate = (task: Task, round: Round | undefined, now: Date): boolean =>
  !isDone(task) && !isOpen(task, now) && confirmableUntil(task, round) > now;

const byPosition = (a: ShownTask, b: ShownTask): number => a.position - b.position;

function tasksOfRound<T extends ShownTask>(state: RoundState<T>, round: number): T[] {
  return state.tasks.filter((task) => task.round === round).sort(byPosition);
}

/** From when on showing a task once more is worth a write. */
export function renewalDue({ expiresAt }: Pick<ShownTask, 'expiresAt'>, reservationSeconds: number): Date {
  return addSeconds(expiresAt, reservationSeconds / RENEWAL_FRACTION - reservationSeconds);
}

const needsRenewal = (task: ShownTask, { now, reservationSeconds }: TaskRequest): boolean =>
  renewalDue(task, reservationSeconds) < now;

class PlanBuilder {
  readonly #request: TaskRequest;
  readonly #state: RoundState;
  readonly #tasks: Task[] = [];
  readonly #placed: Task[] = [];
  readonly #renewed: Task[] = [];

  constructor(request: TaskRequest, state: RoundState) {
    this.#request = request;
    this.#state = state;
  }

  get taskCount(): number {
    return this.#tasks.length;
  }

  /** Shows a task once more where it stands. */
  keep(task: Task): void {
    this.show(task, task.round, task.position);
  }

  show(task: Task, round: number, position: number): void {
    const moves = task.round !== round || task.position !== position;
    if (!moves && !needsRenewal(task, this.#request)) {
      this.#tasks.push(task);
      return;
    }
    const renewed = { ...task, round, position, lateUntil: null, expiresAt: this.#expiry() };
    this.#renewed.push(renewed);
    this.#tasks.push(renewed);
  }

  /** Goes along into another round without being shown, so its time does not start anew. */
  moveUnseen(task: Task, round: number, position: number): void {
    this.#renewed.push({ ...task, round, position, lateUntil: null });
  }

  /** Shows an expired task again when its order can still take it, at today's price. Returns whether it did. */
  tryAgain(task: Task, source: TaskSource, round: number, position: number): boolean {
    const order = source.again(task);
    if (order === undefined || this.#shows(order.resource.id) || this.#isOpenElsewhere(order.resource.id)) return false;
    return this.#place(order, source, round, position);
  }

  fill(
    candidates: readonly OrderTerms[],
    source: TaskSource,
    { count, round, after }: { count: number; round: number; after: number },
  ): void {
    let position = after;
    let left = count;
    for (const order of candidates) {
      if (left <= 0) return;
      if (this.#shows(order.resource.id)) continue;
      if (!this.#place(order, source, round, position + 1)) continue;
      position += 1;
      left -= 1;
    }
  }

  finish(round: Round | undefined): TaskPlan {
    const tasks = this.#tasks.sort(byPosition).slice(0, this.#request.max);
    return { tasks, placed: this.#placed, renewed: this.#renewed, round };
  }

  #shows(resourceId: number): boolean {
    return this.#tasks.some((task) => task.resourceId === resourceId);
  }

  #isOpenElsewhere(resourceId: number): boolean {
    const { now } = this.#request;
    return this.#state.tasks.some((task) => task.resourceId === resourceId && isOpen(task, now));
  }

  #place(order: OrderTerms, source: TaskSource, round: number, position: number): boolean {
    const state = source.take(order);
    if (state === undefined) return false;
    const { userId, botId, accountId, now } = this.#request;
    const earlier = this.#shownBefore(order.id);
    const task: Task = {
      userId,
      botId,
      orderId: order.id,
      accountId,
      resourceId: order.resource.id,
      round,
      position,
      state,
      chargeKopecks: order.chargeKopecks,
      rewardKopecks: order.rewardKopecks,
      holdSeconds: order.holdSeconds,
      refund: order.refund,
      shownAt: earlier?.shownAt ?? now,
      wasOutside: earlier?.wasOutside === true || source.isOutside(order),
      lateUntil: null,
      expiresAt: this.#expiry(),
      confirmedAt: null,
      releaseAt: null,
      windowEndsAt: null,
      keptAt: null,
    };
    this.#placed.push(task);
    this.#tasks.push(task);
    return true;
  }

  /** A task that can still be confirmed keeps the time of its first showing, or a join since then would be taken for an old one. */
  #shownBefore(orderId: number): Task | undefined {
    const { now } = this.#request;
    const { round, tasks } = this.#state;
    return tasks.find((task) => task.orderId === orderId && isLate(task, round, now));
  }

  #expiry(): Date {
    return addSeconds(this.#request.now, this.#request.reservationSeconds);
  }
}
