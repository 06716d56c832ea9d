import assert from 'node:assert/strict';

/**
 * The task flow as the decisions describe it, small enough to be read in one sitting and written without a look at the
 * service's rules. Everything is an index (user 0, bot 1, order 2), money is whole kopecks, time is seconds since the
 * noon on which the run begins. Where the decisions leave a choice the model accepts any legal one and adopts it.
 *
 * What the decisions do not say, and is taken for granted here:
 * - a call that finds nothing to offer opens no round;
 * - an expired task of a round returns in its place if it may still be offered, otherwise the answer goes without it;
 * - one user sees a resource once at a time in a bot, and not again there once the task is done;
 * - tasks done in a round count towards `max_sponsors` when it is topped up;
 * - a hold longer than a day is also watched longer than a day;
 * - a reversed subscription still counts towards that day's limit.
 */
export type OrderStatus = 'active' | 'paused' | 'completed' | 'cancelled';

export interface OrderTerms {
  readonly owner: number;
  readonly chat: number;
  readonly priceKopecks: number;
  readonly quantity: number;
  readonly holdHours: number;
  readonly refund: boolean;
  readonly dailyLimit: number | undefined;
}

interface ModelOrder extends OrderTerms {
  quantity: number;
  status: OrderStatus;
  escrow: number;
}

interface Task {
  readonly user: number;
  readonly bot: number;
  readonly order: number;
  readonly isExtra: boolean;
  readonly offeredAt: number;
  expiresAt: number;
  state: 'open' | 'expired' | 'counted' | 'settled' | 'reversed' | 'notgetted';
  countedAt: number;
  isReleased: boolean;
}

interface Round {
  /** The orders of the round in the order in which they were first shown. */
  places: number[];
  requested: number;
  endsAt: number;
}

export interface ModelBot {
  readonly owner: number;
  readonly roundMinutes: number;
}

/** What a confirm may come to. */
export type Outcome = 'counted' | 'not_counted' | 'not_subscribed' | 'not_shown' | 'no_such_order';
export type Action = 'subscribe' | 'newtask';

const HOUR = 3600;
const DAY = 24 * HOUR;
const OFFER_LIFE = HOUR;
/** Real time passes between two steps, too little to matter but enough to tell before from after. */
const STEP = 0.001;
const PUBLISHER_SHARE = 70;

const pair = (a: number, b: number): string => `${a}:${b}`;

export class Model {
  now = 0;
  moves = 0;
  readonly bots: readonly ModelBot[];
  readonly available: number[];
  readonly hold: number[];
  readonly orders: ModelOrder[] = [];
  readonly #tasks: Task[] = [];
  readonly #rounds = new Map<string, Round>();
  readonly #members = new Set<string>(); // user:chat, as it is
  readonly #heard = new Set<string>(); // user:chat, as updates told it
  readonly #heardSince = new Map<string, number>();
  readonly #mayKnowSince = new Map<string, number>(); // a live check may have seen the membership then
  readonly #counted = new Set<string>(); // user:chat, for ever
  /** Orders that got room again, of which the service's memory learns a moment later. */
  readonly #lagging = new Set<number>();

  constructor(bots: readonly ModelBot[], deposits: readonly number[]) {
    this.bots = bots;
    this.available = [...deposits];
    this.hold = deposits.map(() => 0);
  }

  reward(order: number): number {
    return Math.floor((this.order(order).priceKopecks * PUBLISHER_SHARE) / 100);
  }

  order(index: number): ModelOrder {
    const order = this.orders[index];
    assert.ok(order, `the run has no order ${index + 1}`);
    return order;
  }

  /** Places a new order, or answers false when its owner cannot pay for it. */
  addOrder(terms: OrderTerms): boolean {
    const cost = terms.priceKopecks * terms.quantity;
    if ((this.available[terms.owner] ?? 0) < cost) return false;
    this.#pay(terms.owner, -cost);
    this.orders.push({ ...terms, status: 'active', escrow: cost });
    return true;
  }

  topUp(index: number, quantity: number): 'topped_up' | 'insufficient_funds' | 'not_allowed' {
    const order = this.order(index);
    const cost = order.priceKopecks * quantity;
    if (this.#isClosed(order)) return 'not_allowed';
    if ((this.available[order.owner] ?? 0) < cost) return 'insufficient_funds';
    this.#pay(order.owner, -cost);
    order.escrow += cost;
    order.quantity += quantity;
    this.#lagging.add(index);
    return 'topped_up';
  }

  /** Answers false when the order is closed and stays as it is. */
  setStatus(index: number, status: 'active' | 'paused' | 'cancelled'): boolean {
    const order = this.order(index);
    if (this.#isClosed(order)) return order.status === status;
    order.status = status;
    this.#closeFinished();
    return true;
  }

  join(user: number, chat: number, isHeard: boolean): void {
    this.now += STEP;
    const key = pair(user, chat);
    if (this.#members.has(key)) return;
    this.#members.add(key);
    if (!isHeard) return;
    this.#heard.add(key);
    if (!this.#heardSince.has(key)) this.#heardSince.set(key, this.now);
  }

  leave(user: number, chat: number, isHeard: boolean): void {
    this.now += STEP;
    const key = pair(user, chat);
    if (!this.#members.delete(key) || !isHeard) return;
    this.#heard.delete(key);
    for (const task of this.#tasks) {
      if (task.user === user && this.order(task.order).chat === chat && task.state === 'counted') this.#reverse(task);
    }
    this.#closeFinished();
  }

  /** Moves time, and does all that fell due meanwhile. */
  advance(seconds: number): void {
    this.now += seconds;
    this.moves += 1;
    for (const task of this.#tasks) {
      if (task.state === 'open' && task.expiresAt <= this.now) task.state = 'expired';
      if (task.state === 'counted') this.#settle(task);
    }
    this.#closeFinished();
    this.#lagging.clear();
  }

  /** Judges what get-sponsors answered, and goes on from there. */
  getSponsors(user: number, bot: number, action: Action, max: number, answer: readonly number[]): void {
    this.now += STEP;
    for (const { chat } of this.orders) this.#noteCheck(pair(user, chat));
    const round = action === 'subscribe' ? this.#roundNow(user, bot) : undefined;
    const isExtra = action === 'newtask';
    const places = round?.places ?? this.#openTasks(user, bot, isExtra).map((task) => task.order);

    const kept: number[] = [];
    for (const order of places) {
      if (kept.length === max) break;
      const task = this.#task(user, bot, order);
      if (task?.state === 'open') task.expiresAt = this.now + OFFER_LIFE;
      else if (task?.state !== 'expired' || !this.#mayOffer(user, bot, order, isExtra)) continue;
      else this.#offer(user, bot, order, isExtra);
      kept.push(order);
    }
    assert.deepEqual(answer.slice(0, kept.length).map(name), kept.map(name), 'tasks outstanding, in their order');

    const isDone = (order: number): boolean => !['open', 'expired'].includes(this.#task(user, bot, order)?.state ?? '');
    const done = round?.places.filter(isDone).length ?? 0;
    const wanted = round !== undefined && max <= round.requested ? 0 : Math.max(0, max - done - kept.length);
    const added = answer.slice(kept.length);
    for (const order of added) {
      assert.ok(this.#mayOffer(user, bot, order, isExtra), `${name(order)} must not be offered`);
      this.#offer(user, bot, order, isExtra);
    }
    assert.ok(added.length <= wanted, `${added.length} new tasks where at most ${wanted} were wanted`);
    const missed = this.orders.findIndex((_, i) => this.#mayOffer(user, bot, i, isExtra) && !this.#lagging.has(i));
    assert.ok(added.length === wanted || missed < 0, `${name(missed)} should have been offered too`);

    if (isExtra || (round === undefined && answer.length === 0)) return;
    this.#rounds.set(pair(user, bot), {
      places: [...places, ...added],
      requested: Math.max(max, round?.requested ?? 0),
      endsAt: round?.endsAt ?? this.now + (this.bots[bot]?.roundMinutes ?? 0) * 60,
    });
  }

  /** What a confirm may answer now; more than one only where it depends on which checks the service had made. */
  expectConfirm(user: number, bot: number, order: number): Outcome[] {
    if (this.orders[order] === undefined) return ['no_such_order'];
    const task = this.#task(user, bot, order);
    if (task === undefined || task.state === 'expired') return ['not_shown'];
    if (task.state === 'counted' || task.state === 'settled') return ['counted'];
    const key = pair(user, this.order(order).chat);
    if (!this.#members.has(key)) return ['not_subscribed'];
    if (task.state !== 'open' || this.#counted.has(key)) return ['not_counted'];
    if ((this.#heardSince.get(key) ?? Infinity) < task.offeredAt) return ['not_counted'];
    return (this.#mayKnowSince.get(key) ?? Infinity) < task.offeredAt ? ['counted', 'not_counted'] : ['counted'];
  }

  /** Adopts the answer to a confirm. */
  confirm(user: number, bot: number, order: number, outcome: Outcome): void {
    this.now += STEP;
    const task = this.#task(user, bot, order);
    if (task?.state !== 'open') return;
    if (outcome === 'not_counted') {
      task.state = 'notgetted';
      this.#lagging.add(order);
    }
    if (outcome === 'counted') {
      const { priceKopecks, holdHours, chat } = this.order(order);
      Object.assign(task, { state: 'counted', countedAt: this.now, isReleased: holdHours === 0 });
      this.#counted.add(pair(user, chat));
      this.order(order).escrow -= priceKopecks;
      this.#pay(this.bots[bot]?.owner ?? -1, this.reward(order), task.isReleased ? this.available : this.hold);
    }
    this.#closeFinished();
  }

  /** The orders whose tasks this user can see in this bot now, extra ones included. */
  shown(user: number, bot: number): number[] {
    return this.#tasks.filter((t) => t.user === user && t.bot === bot && t.state === 'open').map((t) => t.order);
  }

  isMember(user: number, chat: number): boolean {
    return this.#members.has(pair(user, chat));
  }

  reserved(order: number): number {
    return this.#tasks.filter((task) => task.order === order && task.state === 'open').length;
  }

  /** Subscriptions that used up a slot: counted, and not given back. */
  subscribers(order: number): number {
    const keepsSlot = (task: Task): boolean => task.state === 'reversed' && !this.order(order).refund;
    return this.#tasks.filter(
      (task) => task.order === order && (task.state === 'counted' || task.state === 'settled' || keepsSlot(task)),
    ).length;
  }

  #mayOffer(user: number, bot: number, index: number, isExtra: boolean): boolean {
    const order = this.orders[index];
    if (order === undefined || order.status !== 'active' || order.owner === this.bots[bot]?.owner) return false;
    const key = pair(user, order.chat);
    if (this.#counted.has(key) || this.#heard.has(key) || this.#members.has(key)) return false;
    const seen = this.#tasks.filter((t) => t.user === user && t.bot === bot && this.order(t.order).chat === order.chat);
    if (seen.some((task) => task.state !== 'expired')) return false;
    // A task that the gate still waits for is not beyond the round.
    const gate = this.#roundNow(user, bot)?.places ?? [];
    if (isExtra && gate.some((place) => this.order(place).chat === order.chat)) return false;
    return this.#room(index) > 0;
  }

  #room(index: number): number {
    const { quantity, escrow, priceKopecks, dailyLimit = Infinity } = this.order(index);
    const reserved = this.reserved(index);
    const today = this.#tasks.filter((t) => t.order === index && t.countedAt >= 0 && day(t.countedAt) === day(this.now));
    return Math.min(
      quantity - this.subscribers(index) - reserved,
      Math.floor(escrow / priceKopecks) - reserved,
      dailyLimit - today.length - reserved,
    );
  }

  #offer(user: number, bot: number, order: number, isExtra: boolean): void {
    const expiresAt = this.now + OFFER_LIFE;
    const fresh = { user, bot, order, isExtra, offeredAt: this.now, expiresAt, countedAt: -1, isReleased: false };
    this.#tasks.push({ ...fresh, state: 'open' });
  }

  #task(user: number, bot: number, order: number): Task | undefined {
    return this.#tasks.findLast((task) => task.user === user && task.bot === bot && task.order === order);
  }

  /** Open tasks in the order of the last round, or extra ones in the order in which they were offered. */
  #openTasks(user: number, bot: number, isExtra: boolean): Task[] {
    const open = this.#tasks.filter((t) => t.user === user && t.bot === bot && t.state === 'open');
    const places = this.#rounds.get(pair(user, bot))?.places ?? [];
    const tasks = open.filter((task) => task.isExtra === isExtra);
    return isExtra ? tasks : tasks.sort((a, b) => places.indexOf(a.order) - places.indexOf(b.order));
  }

  #roundNow(user: number, bot: number): Round | undefined {
    const round = this.#rounds.get(pair(user, bot));
    return round !== undefined && this.now < round.endsAt ? round : undefined;
  }

  #noteCheck(key: string): void {
    if (this.#members.has(key) && !this.#mayKnowSince.has(key)) this.#mayKnowSince.set(key, this.now);
  }

  /** At the end of the hold and of the window Telegram is asked once more. */
  #settle(task: Task): void {
    const order = this.order(task.order);
    const holdEnds = task.countedAt + order.holdHours * HOUR;
    const windowEnds = Math.max(holdEnds, task.countedAt + DAY);
    const isDue = (!task.isReleased && holdEnds <= this.now) || windowEnds <= this.now;
    if (!isDue) return;
    if (!this.#members.has(pair(task.user, order.chat))) return this.#reverse(task);
    if (!task.isReleased) {
      const owner = this.bots[task.bot]?.owner ?? -1;
      this.#pay(owner, -this.reward(task.order), this.hold);
      this.#pay(owner, this.reward(task.order));
      task.isReleased = true;
    }
    if (windowEnds <= this.now) task.state = 'settled';
  }

  #reverse(task: Task): void {
    const order = this.order(task.order);
    this.#pay(this.bots[task.bot]?.owner ?? -1, -this.reward(task.order), task.isReleased ? this.available : this.hold);
    if (order.refund) order.escrow += order.priceKopecks;
    task.state = 'reversed';
    this.#lagging.add(task.order);
  }

  /** An order that delivered everything for good is completed; a closed one keeps only what open tasks were promised. */
  #closeFinished(): void {
    for (const [index, order] of this.orders.entries()) {
      const isReversible = this.#tasks.some((task) => task.order === index && task.state === 'counted');
      const isSpent = this.subscribers(index) >= order.quantity && !isReversible;
      if (!this.#isClosed(order) && isSpent) order.status = 'completed';
      if (!this.#isClosed(order)) continue;
      const surplus = order.escrow - this.reserved(index) * order.priceKopecks;
      this.#pay(order.owner, surplus);
      order.escrow -= surplus;
    }
  }

  #isClosed({ status }: ModelOrder): boolean {
    return status === 'completed' || status === 'cancelled';
  }

  #pay(account: number, kopecks: number, balances = this.available): void {
    balances[account] = (balances[account] ?? 0) + kopecks;
  }
}

/** Runs begin at noon, so the first day has twelve hours left. */
const day = (time: number): number => Math.floor((time + DAY / 2) / DAY);

export const name = (order: number): string => `order ${order + 1}`;
