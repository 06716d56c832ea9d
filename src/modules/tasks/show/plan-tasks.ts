import { addSeconds } from '../../../core/clock.ts';
import type { OrderTerms } from '../../orders/index.ts';
import { confirmableUntil, EXTRA_ROUND, isDone, isOpen, type Offer, type Round, type ShownTask } from '../task.ts';

/** What a bot asks for: the gate of a round, or extra tasks beyond it. */
export type TaskAction = 'subscribe' | 'newtask';

export interface TaskRequest {
  readonly userId: number;
  readonly botId: number;
  readonly accountId: number;
  readonly action: TaskAction;
  readonly max: number;
  readonly roundSeconds: number;
  readonly offerSeconds: number;
  readonly now: Date;
}

/** What is known of a (user, bot) when a request is planned. */
export interface TaskState<Task extends ShownTask = Offer> {
  readonly round: Round | undefined;
  readonly offers: readonly Task[];
}

/** Where new tasks come from. */
export interface TaskSource {
  /** Orders to offer, best first, none of which the user may not be offered. */
  readonly candidates: readonly OrderTerms[];
  /** The order behind an expired task, when the task may be shown to this user again. */
  again(offer: Offer): OrderTerms | undefined;
  /** Whether the user has joined the resource since the task was first shown, so that only the confirm is missing. */
  hasJoinedSince(offer: Offer): boolean;
  /** Whether a check has just said that the user is no member. */
  isOutside(order: OrderTerms): boolean;
  /**
   * Reserves a slot and the charge. `unreserved`: there is room, but the bot may not reserve more; the task is shown all
   * the same. `undefined`: there is no room.
   */
  take(order: OrderTerms): 'offered' | 'unreserved' | undefined;
}

export interface TaskPlan {
  /** What the user has still to do, in the order in which it was first shown. */
  readonly tasks: readonly Offer[];
  /** Tasks newly shown; written as they are. */
  readonly placed: readonly Offer[];
  /** Tasks whose time starts anew. */
  readonly renewed: readonly Offer[];
  /** Set when the round is new or was widened. */
  readonly round: Round | undefined;
}

/**
 * How much of an offer's life may pass before showing it again is worth a write. Bots ask on every message; without
 * this each message would be an update.
 */
const RENEWAL_FRACTION = 12;

/** Whether a request can be answered from what is known, with nothing to write. */
export function answerAsIs(request: TaskRequest, state: TaskState<ShownTask>): readonly ShownTask[] | undefined {
  const { now } = request;
  if (request.action !== 'subscribe') return undefined;
  const { round } = state;
  if (round === undefined || round.endsAt <= now || request.max > round.requested) return undefined;
  const outstanding = tasksOfRound(state, round.number).filter((offer) => !isDone(offer));
  const returned = outstanding.slice(0, request.max);
  if (returned.some((offer) => !isOpen(offer, now) || needsRenewal(offer, request))) return undefined;
  return returned;
}

export function planTasks(request: TaskRequest, state: TaskState, source: TaskSource): TaskPlan {
  return request.action === 'newtask' ? planExtras(request, state, source) : planRound(request, state, source);
}

function planRound(request: TaskRequest, state: TaskState, source: TaskSource): TaskPlan {
  const { round } = state;
  return round !== undefined && round.endsAt > request.now
    ? continueRound(request, state, source, round)
    : openRound(request, state, source, (round?.number ?? 0) + 1);
}

function continueRound(request: TaskRequest, state: TaskState, source: TaskSource, round: Round): TaskPlan {
  const { now, max } = request;
  const plan = new PlanBuilder(request, state);
  const shown = tasksOfRound(state, round.number);
  for (const offer of shown) {
    if (plan.taskCount >= max) break; // what is not returned is not renewed either: its order may need the slot
    if (isDone(offer)) continue;
    if (isOpen(offer, now)) plan.keep(offer);
    else plan.tryAgain(offer, source, offer.round, offer.position);
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
function openRound(request: TaskRequest, state: TaskState, source: TaskSource, number: number): TaskPlan {
  const { now, max, userId, botId, roundSeconds } = request;
  const plan = new PlanBuilder(request, state);
  const carried = state.offers.filter((offer) => offer.round !== EXTRA_ROUND && isOpen(offer, now)).sort(byPosition);
  for (const [index, offer] of carried.entries()) {
    if (index < max) plan.show(offer, number, index + 1);
    else plan.moveUnseen(offer, number, index + 1);
  }
  const late = state.offers.filter((offer) => offer.round !== EXTRA_ROUND && isLate(offer, state.round, now));
  let position = carried.length;
  for (const offer of late.sort(byPosition)) {
    if (plan.taskCount >= max) break;
    if (source.hasJoinedSince(offer) && plan.tryAgain(offer, source, number, position + 1)) position += 1;
  }
  plan.fill(source.candidates, source, { count: max - plan.taskCount, round: number, after: position });
  // Nothing to offer opens no round: the next call may find something.
  if (plan.taskCount === 0) return plan.finish(undefined);
  return plan.finish({ userId, botId, number, requested: max, endsAt: addSeconds(now, roundSeconds) });
}

/** Beyond the round: what the running round has asked for, even in vain, stays the round's. */
function planExtras(request: TaskRequest, state: TaskState, source: TaskSource): TaskPlan {
  const { now, max } = request;
  const plan = new PlanBuilder(request, state);
  const extras = tasksOfRound(state, EXTRA_ROUND);
  for (const offer of extras) {
    if (plan.taskCount >= max) break;
    if (isOpen(offer, now)) plan.keep(offer);
    else if (isLate(offer, state.round, now) && source.hasJoinedSince(offer)) {
      plan.tryAgain(offer, source, offer.round, offer.position);
    }
  }

  const { round } = state;
  const running = round !== undefined && round.endsAt > now ? tasksOfRound(state, round.number) : [];
  const ofRound = new Set(running.filter((offer) => !isDone(offer)).map((offer) => offer.resourceId));
  plan.fill(
    source.candidates.filter((order) => !ofRound.has(order.resource.id)),
    source,
    { count: max - plan.taskCount, round: EXTRA_ROUND, after: extras.at(-1)?.position ?? 0 },
  );
  return plan.finish(undefined);
}

/** Whether a task has lost its reservation and can still be confirmed. */
const isLate = (offer: Offer, round: Round | undefined, now: Date): boolean =>
  !isDone(offer) && !isOpen(offer, now) && confirmableUntil(offer, round) > now;

const byPosition = (a: ShownTask, b: ShownTask): number => a.position - b.position;

function tasksOfRound<Task extends ShownTask>(state: TaskState<Task>, round: number): Task[] {
  return state.offers.filter((offer) => offer.round === round).sort(byPosition);
}

/** From when on showing an offer once more is worth a write. */
export function renewalDue({ expiresAt }: Pick<ShownTask, 'expiresAt'>, offerSeconds: number): Date {
  return addSeconds(expiresAt, offerSeconds / RENEWAL_FRACTION - offerSeconds);
}

const needsRenewal = (offer: ShownTask, { now, offerSeconds }: TaskRequest): boolean =>
  renewalDue(offer, offerSeconds) < now;

class PlanBuilder {
  readonly #request: TaskRequest;
  readonly #state: TaskState;
  readonly #tasks: Offer[] = [];
  readonly #placed: Offer[] = [];
  readonly #renewed: Offer[] = [];

  constructor(request: TaskRequest, state: TaskState) {
    this.#request = request;
    this.#state = state;
  }

  get taskCount(): number {
    return this.#tasks.length;
  }

  /** Shows a task once more where it stands. */
  keep(offer: Offer): void {
    this.show(offer, offer.round, offer.position);
  }

  show(offer: Offer, round: number, position: number): void {
    const moves = offer.round !== round || offer.position !== position;
    if (!moves && !needsRenewal(offer, this.#request)) {
      this.#tasks.push(offer);
      return;
    }
    const renewed = { ...offer, round, position, lateUntil: null, expiresAt: this.#expiry() };
    this.#renewed.push(renewed);
    this.#tasks.push(renewed);
  }

  /** Goes along into another round without being shown, so its time does not start anew. */
  moveUnseen(offer: Offer, round: number, position: number): void {
    this.#renewed.push({ ...offer, round, position, lateUntil: null });
  }

  /** Shows an expired task again when its order can still take it, at today's price. Returns whether it did. */
  tryAgain(offer: Offer, source: TaskSource, round: number, position: number): boolean {
    const order = source.again(offer);
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
    return this.#state.offers.some((offer) => offer.resourceId === resourceId && isOpen(offer, now));
  }

  #place(order: OrderTerms, source: TaskSource, round: number, position: number): boolean {
    const state = source.take(order);
    if (state === undefined) return false;
    const { userId, botId, accountId, now } = this.#request;
    const earlier = this.#shownBefore(order.id);
    const offer: Offer = {
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
      offeredAt: earlier?.offeredAt ?? now,
      wasOutside: earlier?.wasOutside === true || source.isOutside(order),
      lateUntil: null,
      expiresAt: this.#expiry(),
      confirmedAt: null,
      releaseAt: null,
      windowEndsAt: null,
      keptAt: null,
    };
    this.#placed.push(offer);
    this.#tasks.push(offer);
    return true;
  }

  /** A task that can still be confirmed keeps the time of its first showing, or a join since then would be taken for an old one. */
  #shownBefore(orderId: number): Offer | undefined {
    const { now } = this.#request;
    const { round, offers } = this.#state;
    return offers.find((offer) => offer.orderId === orderId && isLate(offer, round, now));
  }

  #expiry(): Date {
    return addSeconds(this.#request.now, this.#request.offerSeconds);
  }
}
