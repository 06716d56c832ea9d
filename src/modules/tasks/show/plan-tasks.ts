import { addSeconds } from '../../../core/clock.ts';
import type { OrderTerms } from '../../orders/index.ts';
import { confirmableUntil, EXTRA_ROUND, isDone, isOpen, type Round, type ShownTask, type Task } from '../task.ts';

/** `subscribe` asks for the round's tasks, `newtask` for extra tasks beyond it. */
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

/** A user's round and tasks in a bot. */
export interface RoundState<T extends ShownTask = Task> {
  readonly round: Round | undefined;
  readonly tasks: readonly T[];
}

/** Supplies the orders of new tasks. */
export interface TaskSource {
  /** Orders that may be shown to the user, best first. */
  readonly candidates: readonly OrderTerms[];
  /** Returns the order of an expired task when the task may be shown to this user again. */
  orderToShowAgain(task: Task): OrderTerms | undefined;
  /** Whether the user has joined the resource since the task was first shown, so only the confirm is missing. */
  hasJoinedSince(task: Task): boolean;
  /** Whether the check of this request found that the user is not a member. */
  isOutside(order: OrderTerms): boolean;
  /**
   * Reserves a slot and the charge. `unreserved`: the order has a slot, but the bot may not reserve more; the task is
   * shown without one. `undefined`: the order is full.
   */
  reserve(order: OrderTerms): 'shown' | 'unreserved' | undefined;
}

export interface TaskPlan {
  /** The tasks that the user still has to do, in the order of their positions. */
  readonly tasks: readonly Task[];
  /** New tasks. */
  readonly placed: readonly Task[];
  /** Tasks with a new expiry or position. */
  readonly renewed: readonly Task[];
  /** Set when the round is new or its number of tasks grew. */
  readonly round: Round | undefined;
}

/**
 * A task is renewed only after this fraction of its reservation has passed. Bots call on every message; without this
 * each message would be an UPDATE.
 */
const RENEWAL_FRACTION = 12;

/** Returns the tasks when the request needs no write, undefined otherwise. */
export function unchangedTasks(request: TaskRequest, state: RoundState<ShownTask>): readonly ShownTask[] | undefined {
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
    if (plan.taskCount >= max) break; // a task that is not returned is not renewed: its order may need the slot
    if (isDone(task)) continue;
    if (isOpen(task, now)) plan.keep(task);
    else plan.showAgain(task, source, task.round, task.position);
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
 * Open tasks of the previous round come first, so that a user never loses a started task. Next come expired tasks whose
 * resource the user has joined since: a bot that calls get-sponsors before confirm must get their ids.
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
    if (source.hasJoinedSince(task) && plan.showAgain(task, source, number, position + 1)) position += 1;
  }
  plan.fill(source.candidates, source, { count: max - plan.taskCount, round: number, after: position });
  // Without a task no round starts, so that the next call may find one.
  if (plan.taskCount === 0) return plan.finish(undefined);
  return plan.finish({ userId, botId, number, requested: max, endsAt: addSeconds(now, roundSeconds) });
}

/** Extra tasks never repeat a resource of the running round. */
function planExtras(request: TaskRequest, state: RoundState, source: TaskSource): TaskPlan {
  const { now, max } = request;
  const plan = new PlanBuilder(request, state);
  const extras = tasksOfRound(state, EXTRA_ROUND);
  for (const task of extras) {
    if (plan.taskCount >= max) break;
    if (isOpen(task, now)) plan.keep(task);
    else if (isLate(task, state.round, now) && source.hasJoinedSince(task)) {
      plan.showAgain(task, source, task.round, task.position);
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

/** Whether a task has expired but can still be confirmed. */
const isLate = (task: Task, round: Round | undefined, now: Date): boolean =>
  !isDone(task) && !isOpen(task, now) && confirmableUntil(task, round) > now;

const byPosition = (a: ShownTask, b: ShownTask): number => a.position - b.position;

function tasksOfRound<T extends ShownTask>(state: RoundState<T>, round: number): T[] {
  return state.tasks.filter((task) => task.round === round).sort(byPosition);
}

/** Returns when showing a task again must renew it. */
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

  /** Shows a task again at its position. */
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

  /** Moves a task into another round without showing or renewing it. */
  moveUnseen(task: Task, round: number, position: number): void {
    this.#renewed.push({ ...task, round, position, lateUntil: null });
  }

  /** Shows an expired task again at the order's current price. Returns false when the order cannot take it. */
  showAgain(task: Task, source: TaskSource, round: number, position: number): boolean {
    const order = source.orderToShowAgain(task);
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
    const state = source.reserve(order);
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

  /** A late task keeps the time of its first showing; otherwise a join since then would count as an old one. */
  #shownBefore(orderId: number): Task | undefined {
    const { now } = this.#request;
    const { round, tasks } = this.#state;
    return tasks.find((task) => task.orderId === orderId && isLate(task, round, now));
  }

  #expiry(): Date {
    return addSeconds(this.#request.now, this.#request.reservationSeconds);
  }
}
