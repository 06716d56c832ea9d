import assert from 'node:assert/strict';
import { ModelAudience, pair } from './model-audience.ts';
import {
  type Asked,
  confirmUntil,
  DAY,
  dayOf,
  HOUR,
  isClosed,
  type ModelBot,
  type ModelOrder,
  type Round,
  type Task,
} from './model-parts.ts';
import { type Action, type Answer, CHATS, type OrderTerms, type Outcome, orderName } from './terms.ts';

const TASK_LIFE = HOUR;
const PUBLISHER_SHARE = 70;
/** The time between two steps: too short to reach a deadline, but enough to order events. */
const STEP = 0.001;

/**
 * A small model of the task flow as the decisions describe it. It shares no code with the service. Money is in whole
 * kopecks, and time is in seconds since the noon at which the run starts. Where the decisions leave a choice, the model
 * accepts every allowed result and continues from it. The model also assumes these rules, which the decisions omit:
 * - a request that finds no task to show opens no round;
 * - a late confirm of an order without free slots returns `order_full`, even when the user was counted elsewhere;
 * - an expired task of a round returns to its position if it may still be shown; otherwise the response omits it;
 * - one user sees a resource once at a time in a bot, and not again there once the task is done;
 * - tasks done in a round count towards `max_sponsors` when it is topped up;
 * - a hold longer than a day extends the window to the end of the hold;
 * - a reversed subscription still counts towards that day's limit.
 */
export class Model {
  readonly audience = new ModelAudience();
  readonly orders: ModelOrder[] = [];
  readonly available: number[];
  readonly hold: number[];
  moves = 0;
  #now = 0;
  readonly #bots: readonly ModelBot[];
  readonly #tasks: Task[] = [];
  readonly #rounds = new Map<string, Round>();
  /** The `user:chat` pairs that were ever counted. */
  readonly #counted = new Set<string>();
  /** Orders with newly freed slots, which the order book of the service may not contain yet. */
  readonly #lagging = new Set<number>();
  /** Chats with expired tasks that no job has processed yet. */
  readonly #unswept = new Set<number>();

  constructor(bots: readonly ModelBot[], deposits: readonly number[]) {
    this.#bots = bots;
    this.available = [...deposits];
    this.hold = deposits.map(() => 0);
  }

  order(index: number): ModelOrder {
    const order = this.orders[index];
    assert.ok(order, `the run has no ${orderName(index)}`);
    return order;
  }

  reward(order: number): number {
    return Math.floor((this.order(order).priceKopecks * PUBLISHER_SHARE) / 100);
  }

  /** Returns false when the owner cannot pay for the order. */
  addOrder(terms: OrderTerms): boolean {
    if (!this.#take(terms.owner, terms.priceKopecks * terms.quantity)) return false;
    this.orders.push({ ...terms, status: 'active', escrow: terms.priceKopecks * terms.quantity });
    return true;
  }

  topUp(index: number, quantity: number): 'topped_up' | 'insufficient_funds' | 'not_allowed' {
    const order = this.order(index);
    if (isClosed(order)) return 'not_allowed';
    if (!this.#take(order.owner, order.priceKopecks * quantity)) return 'insufficient_funds';
    order.escrow += order.priceKopecks * quantity;
    order.quantity += quantity;
    this.#lagging.add(index);
    return 'topped_up';
  }

  /** Returns false when the order is closed and has another status. */
  setStatus(index: number, status: 'active' | 'paused' | 'cancelled'): boolean {
    const order = this.order(index);
    if (isClosed(order)) return order.status === status;
    order.status = status;
    this.#closeFinished();
    return true;
  }

  join(user: number, chat: number, isHeard: boolean): void {
    this.#now += STEP;
    this.audience.join(user, chat, isHeard ? this.#now : undefined);
    if (!isHeard) return;
    // The update dates the join, so a reward whose hold is already over leaves hold now.
    for (const task of this.#tasks) {
      const { chat: other, holdHours } = this.order(task.order);
      const isTheirs = task.user === user && other === chat && task.state === 'counted' && !task.isReleased;
      if (isTheirs && task.countedAt + holdHours * HOUR <= this.#now && this.#isDated(task)) this.#release(task);
    }
  }

  leave(user: number, chat: number, isHeard: boolean): void {
    this.#now += STEP;
    if (!this.audience.leave(user, chat, isHeard)) return;
    for (const task of this.#tasks) {
      if (task.user === user && this.order(task.order).chat === chat && task.state === 'counted') this.#reverse(task);
    }
    this.#closeFinished();
  }

  /** Moves time and runs all due jobs. */
  advance(seconds: number): void {
    this.sleep(seconds);
    for (const task of this.#tasks) if (task.state === 'counted') this.#settle(task);
    this.#closeFinished();
    this.#lagging.clear();
    this.#unswept.clear();
  }

  /** Moves time without running jobs. Tasks expire on time, but the service releases their slots a little later. */
  sleep(seconds: number): void {
    this.#now += seconds;
    this.moves += 1;
    for (const task of this.#tasks) {
      if (task.state !== 'open' || task.expiresAt > this.#now) continue;
      task.state = 'expired';
      this.#unswept.add(this.order(task.order).chat);
    }
  }

  /** Checks a get-sponsors response against the model and adopts it. */
  getSponsors(user: number, bot: number, action: Action, max: number, given: Answer): void {
    const { orders: answer, outside, wasSlow } = given;
    this.#now += STEP;
    const asked = { user, bot, isExtra: action === 'newtask', wasSlow };
    const chats = this.orders.map((order) => order.chat);
    this.audience.mayBeChecked(user, chats, this.#now);
    const round = asked.isExtra ? undefined : this.#roundNow(user, bot);
    const places = round?.places ?? this.#openOf(user, bot, asked.isExtra);

    const kept: number[] = [];
    for (const order of places) {
      if (kept.length === max) break;
      const task = this.#task(user, bot, order);
      if (task?.state === 'open') task.expiresAt = this.#now + TASK_LIFE;
      else if (task?.state !== 'expired' || !this.#mayReturn(asked, task)) continue;
      else if (this.#mayStayAway(task) && answer[kept.length] !== order) continue;
      else this.#show(asked, order);
      kept.push(order);
    }
    assert.deepEqual(answer.slice(0, kept.length).map(orderName), kept.map(orderName), 'what is outstanding, in order');

    const isDone = (order: number): boolean => !['open', 'expired'].includes(this.#task(user, bot, order)?.state ?? '');
    const done = round?.places.filter(isDone).length ?? 0;
    const wanted = round !== undefined && max <= round.requested ? 0 : Math.max(0, max - done - kept.length);
    const added = answer.slice(kept.length);
    for (const order of added) {
      const mayShow = this.#mayShow(asked, order) || this.#mayBeCarried(asked, order);
      assert.ok(mayShow, `${orderName(order)} must not be shown`);
      this.#show(asked, order);
    }
    assert.ok(added.length <= wanted, `${added.length} new tasks where at most ${wanted} were wanted`);
    const isSure = (order: number): boolean => !this.#lagging.has(order) && !this.#isUnsure(asked, order);
    const missed = this.orders.findIndex(
      (_, order) =>
        (this.#mayShow(asked, order) && isSure(order)) || (round === undefined && this.#mustBeCarried(asked, order)),
    );
    assert.ok(added.length === wanted || missed < 0, `${orderName(missed)} should have been shown too`);

    this.#adoptChecks(user, bot, answer, outside);
    if (asked.isExtra || (round === undefined && answer.length === 0)) return;
    const endsAt = round?.endsAt ?? this.#now + (this.#bots[bot]?.roundMinutes ?? 0) * 60;
    const shown = [...places, ...added];
    this.#rounds.set(pair(user, bot), { places: shown, requested: Math.max(max, round?.requested ?? 0), endsAt });
    for (const order of shown) {
      const task = this.#task(user, bot, order);
      if (task?.state === 'open') task.roundEndsAt = endsAt;
    }
  }

  /** Adopts the checks that the service made at the showing, and asserts that each result is true. */
  #adoptChecks(user: number, bot: number, answer: readonly number[], outside: readonly number[]): void {
    for (const order of answer) {
      const task = this.#task(user, bot, order);
      const { chat } = this.order(order);
      if (task === undefined || task.wasOutside || !outside.includes(order)) continue;
      assert.ok(!this.audience.isMember(user, chat), `${orderName(order)} calls a member an outsider`);
      task.wasOutside = true;
    }
  }

  /** Returns true when the join is known to follow the showing. A bot is shown only to users who were checked. */
  #isDated(task: Task): boolean {
    const { chat } = this.order(task.order);
    if (task.wasOutside || CHATS[chat] === 'bot') return true;
    return this.audience.hasJoinedSince(task.user, chat, task.shownAt);
  }

  /** Returns true when the reward of the task is in hold, or would be if the task were counted now. */
  isInHold(user: number, bot: number, order: number): boolean {
    const task = this.#task(user, bot, order);
    if (task === undefined || this.order(order).holdHours > 0) return true;
    return task.state === 'counted' ? !task.isReleased : task.state !== 'settled' && !this.#isDated(task);
  }

  /** Returns the allowed outcomes of a confirm. There are two only if the outcome depends on earlier checks. */
  expectConfirm(user: number, bot: number, order: number): Outcome[] {
    if (this.orders[order] === undefined) return ['no_such_order'];
    const task = this.#task(user, bot, order);
    if (task === undefined || (task.state === 'expired' && confirmUntil(task) <= this.#now)) return ['not_shown'];
    if (task.state === 'counted' || task.state === 'settled') return ['counted'];
    const { chat } = this.order(order);
    if (!this.audience.isMember(user, chat)) return ['not_subscribed'];
    const isLate = task.state === 'expired';
    if (task.state !== 'open' && !isLate) return ['not_counted'];
    const wasMember = this.audience.wasKnownBefore(user, chat, task.shownAt);
    const hasRoom = !isLate || (!isClosed(this.order(order)) && this.#room(order) > 0);
    const asNew = !hasRoom ? 'order_full' : this.#counted.has(pair(user, chat)) ? 'not_counted' : 'counted';
    return wasMember === 'yes' ? ['not_counted'] : wasMember === 'no' ? [asNew] : [asNew, 'not_counted'];
  }

  /** Adopts the outcome of a confirm. */
  confirm(user: number, bot: number, index: number, outcome: Outcome): void {
    this.#now += STEP;
    const task = this.#task(user, bot, index);
    if (task?.state !== 'open' && task?.state !== 'expired') return;
    if (outcome === 'not_counted') {
      task.state = 'notgetted';
      this.#lagging.add(index);
    }
    if (outcome === 'counted') {
      const order = this.order(index);
      Object.assign(task, {
        state: 'counted',
        countedAt: this.#now,
        isReleased: order.holdHours === 0 && this.#isDated(task),
      });
      this.#counted.add(pair(user, order.chat));
      order.escrow -= order.priceKopecks;
      this.#earn(task, this.reward(index));
    }
    this.#closeFinished();
  }

  /** Returns the orders of the user's open tasks in this bot, including extra tasks. */
  shown(user: number, bot: number): number[] {
    return [...this.#openOf(user, bot, false), ...this.#openOf(user, bot, true)];
  }

  reserved(order: number): number {
    return this.#tasks.filter((task) => task.order === order && task.state === 'open').length;
  }

  /** Returns the number of subscriptions that use a slot: those counted and not refunded. */
  subscribers(order: number): number {
    const states = ['counted', 'settled', ...(this.order(order).refund ? [] : ['reversed'])];
    return this.#tasks.filter((task) => task.order === order && states.includes(task.state)).length;
  }

  #mayShow({ user, bot, isExtra, wasSlow }: Asked, index: number): boolean {
    const order = this.orders[index];
    if (order === undefined || order.status !== 'active' || order.owner === this.#bots[bot]?.owner) return false;
    if (this.#counted.has(pair(user, order.chat)) || this.audience.isHeard(user, order.chat)) return false;
    if (this.audience.isMember(user, order.chat) && !wasSlow) return false;
    const seen = this.#tasks.filter((task) => task.user === user && task.bot === bot && task.state !== 'expired');
    if (seen.some((task) => this.order(task.order).chat === order.chat)) return false;
    // A resource of the current round cannot be shown as an extra task.
    const gate = isExtra ? (this.#roundNow(user, bot)?.places ?? []) : [];
    if (gate.some((place) => this.order(place).chat === order.chat)) return false;
    return this.#room(index) > 0;
  }

  /** Returns true when an expired task may be shown again, also to a user who joined after the first showing. */
  #mayReturn({ user, bot }: Asked, { order: index, shownAt }: Task): boolean {
    const order = this.order(index);
    if (order.status !== 'active' || this.#counted.has(pair(user, order.chat)) || this.#room(index) <= 0) return false;
    const seen = this.#tasks.filter((task) => task.user === user && task.bot === bot && task.state !== 'expired');
    if (seen.some((task) => this.order(task.order).chat === order.chat && task.state === 'open')) return false;
    return !(
      this.audience.isHeard(user, order.chat) && this.audience.wasKnownBefore(user, order.chat, shownAt) === 'yes'
    );
  }

  /** Returns true when the task may be omitted: the model does not know the checks and the slots of expired tasks. */
  #mayStayAway({ user, order: index, shownAt }: Task): boolean {
    const { chat } = this.order(index);
    const wasKnown = this.audience.wasKnownBefore(user, chat, shownAt);
    return this.#unswept.has(chat) || (this.audience.isHeard(user, chat) && wasKnown === 'maybe');
  }

  /** Returns true when an expired task may be shown again because its user has joined and can confirm it. */
  #mayBeCarried(asked: Asked, order: number): boolean {
    const task = this.#task(asked.user, asked.bot, order);
    if (task?.state !== 'expired' || task.isExtra !== asked.isExtra || confirmUntil(task) <= this.#now) return false;
    const { chat } = this.order(order);
    const isJoined = this.audience.isMember(task.user, chat) || this.audience.isHeard(task.user, chat);
    return isJoined && this.#mayReturn(asked, task);
  }

  #mustBeCarried(asked: Asked, order: number): boolean {
    const task = this.#task(asked.user, asked.bot, order);
    if (task === undefined || !this.#mayBeCarried(asked, order) || this.#mayStayAway(task)) return false;
    return this.audience.isHeard(task.user, this.order(order).chat);
  }

  /** Returns true when an expired task or a slow check makes it uncertain whether the service shows the order. */
  #isUnsure({ user, wasSlow }: Asked, index: number): boolean {
    const { chat } = this.order(index);
    const isUnchecked = wasSlow && (this.audience.isMember(user, chat) || CHATS[chat] === 'bot');
    return this.#unswept.has(chat) || isUnchecked;
  }

  #room(index: number): number {
    const { quantity, escrow, priceKopecks, dailyLimit = Infinity } = this.order(index);
    const today = this.#tasks.filter(
      (task) => task.order === index && dayOf(task.countedAt) === dayOf(this.#now),
    ).length;
    const free = Math.min(quantity - this.subscribers(index), Math.floor(escrow / priceKopecks), dailyLimit - today);
    return free - this.reserved(index);
  }

  #show({ user, bot, isExtra }: Asked, order: number): void {
    const earlier = this.#task(user, bot, order);
    const isLate = earlier?.state === 'expired' && confirmUntil(earlier) > this.#now;
    const shownAt = isLate ? earlier.shownAt : this.#now;
    const times = { shownAt, expiresAt: this.#now + TASK_LIFE, roundEndsAt: this.#now, countedAt: Number.NaN };
    const wasOutside = isLate && earlier.wasOutside;
    this.#tasks.push({ user, bot, order, isExtra, ...times, wasOutside, state: 'open', isReleased: false });
  }

  #task(user: number, bot: number, order: number): Task | undefined {
    return this.#tasks.findLast((task) => task.user === user && task.bot === bot && task.order === order);
  }

  /** Returns the orders of open tasks by their position in the round, or of extra tasks as they were shown. */
  #openOf(user: number, bot: number, isExtra: boolean): number[] {
    const places = this.#rounds.get(pair(user, bot))?.places ?? [];
    return this.#tasks
      .filter((t) => t.user === user && t.bot === bot && t.state === 'open' && t.isExtra === isExtra)
      .map((task) => task.order)
      .sort((a, b) => (isExtra ? 0 : places.indexOf(a) - places.indexOf(b)));
  }

  #roundNow(user: number, bot: number): Round | undefined {
    const round = this.#rounds.get(pair(user, bot));
    return round !== undefined && this.#now < round.endsAt ? round : undefined;
  }

  /** Applies the membership check at the end of the hold and of the window. */
  #settle(task: Task): void {
    const order = this.order(task.order);
    const holdEnds = task.countedAt + order.holdHours * HOUR;
    const windowEnds = Math.max(holdEnds, task.countedAt + DAY);
    const isDue = (!task.isReleased && holdEnds <= this.#now) || windowEnds <= this.#now;
    if (isDue && !this.audience.isMember(task.user, order.chat)) this.#reverse(task);
    else if (isDue && this.#isDated(task)) {
      this.#release(task);
      if (windowEnds <= this.#now) task.state = 'settled';
    } else if (windowEnds <= this.#now) {
      // Without a dated join the user may be an old member. The charge returns to the order even without refund.
      this.#earn(task, -this.reward(task.order));
      order.escrow += order.priceKopecks;
      task.state = 'notgetted';
      this.#lagging.add(task.order);
    }
  }

  #release(task: Task): void {
    this.#earn(task, -this.reward(task.order));
    task.isReleased = true;
    this.#earn(task, this.reward(task.order));
  }

  #reverse(task: Task): void {
    const order = this.order(task.order);
    this.#earn(task, -this.reward(task.order));
    if (order.refund) order.escrow += order.priceKopecks;
    task.state = 'reversed';
    this.#lagging.add(task.order);
  }

  /** Completes orders whose subscriptions are all final. A closed order keeps only the charges of its open tasks. */
  #closeFinished(): void {
    for (const [index, order] of this.orders.entries()) {
      const isReversible = this.#tasks.some((task) => task.order === index && task.state === 'counted');
      const isDelivered = this.subscribers(index) >= order.quantity && !isReversible;
      if (!isClosed(order) && isDelivered) order.status = 'completed';
      if (!isClosed(order)) continue;
      const surplus = order.escrow - this.reserved(index) * order.priceKopecks;
      order.escrow -= surplus;
      this.available[order.owner] = (this.available[order.owner] ?? 0) + surplus;
    }
  }

  /** Changes the publisher's balance, available or hold, that contains the reward of the task. */
  #earn(task: Task, kopecks: number): void {
    const owner = this.#bots[task.bot]?.owner ?? 0;
    const balances = task.isReleased ? this.available : this.hold;
    balances[owner] = (balances[owner] ?? 0) + kopecks;
  }

  #take(account: number, kopecks: number): boolean {
    const left = (this.available[account] ?? 0) - kopecks;
    if (left < 0) return false;
    this.available[account] = left;
    return true;
  }
}
