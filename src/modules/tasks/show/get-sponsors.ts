import type { BatcherOf } from '../../../core/batcher.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { readUsers } from '../../audience/index.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook } from '../../orders/index.ts';
import { clickIdOf } from '../settle/record-postback.ts';
import type { ShownTask } from '../task.ts';
import { type ChooseDeps, chooseOrders } from './choose-orders.ts';
import type { SentProfile } from './describe-user.ts';
import type { placeTasks } from './place-tasks.ts';
import type { Placement } from './placement.ts';
import { renewalDue, type TaskAction, type TaskRequest, unchangedTasks } from './plan-tasks.ts';
import { type readShowFacts, recordCheckRequest, type StoredList, tasksIn, type UserRecord } from './show-store.ts';

export interface GetSponsorsDeps extends ChooseDeps, DescribeDeps {
  readonly cache: TaskCache;
  readonly reads: BatcherOf<typeof readShowFacts>;
  readonly placements: BatcherOf<typeof placeTasks>;
  readonly reservationSeconds: number;
}

export interface GetSponsorsInput extends SentProfile {
  readonly bot: Bot;
  readonly action: TaskAction;
  readonly max: number;
  /** Whether the caller needs the chats that the user is a member of. */
  readonly withMemberships?: boolean;
}

export interface SponsorTasks {
  /** The tasks that the user has to do in the bot now. None means that the user may proceed. */
  readonly tasks: readonly TaskWithOrder[];
  /** The chats that the user is a member of by Telegram's updates, read together with the tasks; when asked for. */
  readonly memberOf: UserRecord['memberOf'];
}

/** Simultaneous requests of one user change the list under each other; each change lets one of them finish. */
const MAX_ATTEMPTS = 20;

export async function getSponsors(deps: GetSponsorsDeps, input: GetSponsorsInput): Promise<SponsorTasks> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const shown = await tryGetSponsors(deps, input);
    if (shown !== 'outdated') return shown;
  }
  throw new Error(`the tasks of user ${input.userId} in bot ${input.bot.id} changed ${MAX_ATTEMPTS} times while read`);
}

/** Returns `outdated` when the list changed between the read and the write. */
async function tryGetSponsors(deps: GetSponsorsDeps, input: GetSponsorsInput): Promise<SponsorTasks | 'outdated'> {
  const { bot, userId, withMemberships } = input;
  const request = toRequest(deps, input);
  // The links of a bot that collects profiles depend on more than the list, so its tasks are not cached.
  const cached = bot.collectsProfiles ? undefined : deps.cache.get(request);
  const query = { userId, botId: bot.id, now: request.now, withMemberships };
  const isLikelyNew = input.action !== 'subscribe' || !deps.cache.has(userId);
  const facts = await deps.reads.submit({ ...query, cachedVersion: cached?.version, withRecord: isLikelyNew });
  const { list, memberOf } = facts;
  if (list === undefined) {
    assert(cached !== undefined, 'only a cached list may be skipped');
    return { tasks: cached.tasks, memberOf };
  }
  if (list.isBanned) return { tasks: [], memberOf };

  const state = { round: list.round, tasks: tasksIn(list) };
  const unchanged = unchangedTasks(request, state);
  if (unchanged !== undefined) {
    const tasks = await describeTasks(deps, bot, unchanged, { list, now: request.now });
    // The link to the human check must disappear when the user passes, which does not change the list.
    if (!bot.collectsProfiles && list.humanCheck === undefined) deps.cache.set(list, request, tasks);
    return { tasks, memberOf };
  }
  const record =
    facts.record ?? (await deps.reads.submit({ ...query, cachedVersion: list.version, withRecord: true })).record;
  assert(record !== undefined, 'the record was asked for');
  const chosen = await chooseOrders(deps, input, { request, state, record });
  const tasks = await placeChosen(deps, { request, packedTasks: list.packedTasks, ...chosen });
  if (tasks === 'outdated') return tasks;
  const earlier = new Set(state.tasks.map(({ orderId }) => orderId));
  const described = await describeTasks(deps, bot, tasks, { list, now: request.now });
  return { tasks: described.map((one) => (earlier.has(one.order.id) ? one : { ...one, isNew: true })), memberOf };
}

function toRequest(deps: GetSponsorsDeps, { bot, userId, action, max }: GetSponsorsInput): TaskRequest {
  const { roundSeconds, accountId } = bot;
  const { reservationSeconds } = deps;
  return { userId, botId: bot.id, accountId, action, max, roundSeconds, reservationSeconds, now: deps.clock.now() };
}

async function placeChosen(deps: GetSponsorsDeps, placement: Placement): Promise<readonly ShownTask[] | 'outdated'> {
  const placed = await deps.placements.submit(placement);
  if (placed.kind === 'outdated') return 'outdated';
  for (const orderId of placed.fullOrders) deps.book.markFull(orderId);
  return placed.tasks;
}

/** A task to show, with its order and the link that the user opens. */
export interface TaskWithOrder {
  readonly task: ShownTask;
  readonly order: Order;
  readonly link: string;
  /** Whole percent; only for an order that the advertiser's side checks. */
  readonly approvalPercent?: number | undefined;
  /** Set when this request is the first that shows the task. */
  readonly isNew?: boolean;
}

interface DescribeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly secrets: Secrets;
  /** Returns a smart link to the order's resource for one user. */
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
  readonly humanCheck?: HumanCheckSettings | undefined;
}

/** How suspicious users are led to the human check. */
export interface HumanCheckSettings {
  /** The least sum of a user's signals that asks for the check. */
  readonly strength: number;
  /** Returns the link that opens the Mini App, which leads on to the order's resource. */
  readonly link: (task: { orderId: number; userId: number }) => string;
}

/** Returns one user's tasks with their orders and links. */
async function describeTasks(
  deps: DescribeDeps,
  bot: Bot,
  tasks: readonly ShownTask[],
  { list: { humanCheck }, now }: { readonly list: Pick<StoredList, 'humanCheck'>; readonly now: Date },
): Promise<TaskWithOrder[]> {
  if (tasks.length === 0) return [];
  const orderIds = tasks.map((task) => task.orderId);
  const orders = deps.book.recall(orderIds) ?? (await deps.book.lookup(orderIds));
  const described = tasks.flatMap((task) => {
    const order = orders.get(task.orderId);
    return order === undefined ? [] : [withLink(deps, order, task)];
  });
  if (humanCheck !== undefined) return leadToCheck(deps, described, { state: humanCheck, now });
  const [first, ...rest] = described;
  if (first === undefined || !bot.collectsProfiles || isExternal(first.order.resource)) return described;
  // The first task of an unknown user goes through a smart link, which learns the user's device and country.
  const { userId, orderId } = first.task;
  const [stored] = await readUsers(deps.db, [userId], deps.clock.now());
  const isKnown = stored?.learned.device_type !== undefined || stored?.learned.country !== undefined;
  return isKnown ? described : [{ ...first, link: deps.personalLink({ orderId, userId }) }, ...rest];
}

/**
 * Leads one task of a suspicious user through the human check. The rewards of tasks that are first shown from now on wait
 * for the check, those of this request included: `now` is the time at which it shows its tasks. The request is stored before
 * the user can see the link.
 */
async function leadToCheck(
  { db, humanCheck }: DescribeDeps,
  described: TaskWithOrder[],
  { state, now }: { readonly state: NonNullable<StoredList['humanCheck']>; readonly now: Date },
): Promise<TaskWithOrder[]> {
  const led = described.find(({ order }) => !isExternal(order.resource));
  if (led === undefined || humanCheck === undefined) return described;
  if (state === 'new') await recordCheckRequest(db, led.task.userId, now);
  return described.map((one) => (one === led ? { ...led, link: humanCheck.link(led.task) } : one));
}

/** An external bot gets a click id in its link, with which its advertiser reports the user's start. */
function withLink({ secrets, book }: DescribeDeps, order: Order, task: ShownTask): TaskWithOrder {
  if (!isExternal(order.resource)) return { task, order, link: order.link };
  const url = new URL(order.link);
  url.searchParams.set('start', clickIdOf(secrets, task));
  return { task, order, link: url.href, approvalPercent: book.approvalPercent(order.id) };
}

/**
 * The last tasks of repeat callers. Bots call on every message, and the tasks stay the same while the list keeps its
 * version, no task is due for renewal and the orders look the same. Every request compares the version with PostgreSQL
 * (`readShowFacts`), so a change by another process is never missed.
 */
export interface TaskCache {
  /** Whether tasks of the user in any bot are cached. */
  has(userId: number): boolean;
  /** Returns the tasks for the request; valid only if the list still has that version. */
  get(request: TaskRequest): CachedTasks | undefined;
  /** Stores the tasks of an unchanged list. */
  set(list: StoredList, request: TaskRequest, tasks: readonly TaskWithOrder[]): void;
}

interface CachedTasks {
  readonly version: number;
  readonly tasks: readonly TaskWithOrder[];
}

interface Entry extends CachedTasks {
  readonly botId: number;
  readonly max: number;
  /** When the round ends or the first task is due for renewal. */
  readonly validUntilMs: number;
}

/** Users; about 30 MB. */
const MAX_USERS = 20_000;

export function createTaskCache(book: Pick<OrderBook, 'looksTheSame'>): TaskCache {
  const entries = new Map<number, Entry>();

  return {
    has: (userId) => entries.has(userId),

    get({ userId, botId, action, max, now }) {
      const entry = entries.get(userId);
      if (entry === undefined || action !== 'subscribe' || entry.botId !== botId || entry.max !== max) return undefined;
      if (entry.validUntilMs <= now.getTime()) return undefined;
      return entry.tasks.every(({ order }) => book.looksTheSame(order)) ? entry : undefined;
    },

    set({ userId, botId, round, version, lostOrders }, { max, reservationSeconds }, tasks) {
      if (round === undefined || version === undefined || lostOrders.length > 0) return;
      entries.delete(userId); // moves the user to the end, away from eviction
      const [oldest] = entries.size < MAX_USERS ? [] : entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
      const renewals = tasks.map(({ task }) => renewalDue(task, reservationSeconds).getTime());
      entries.set(userId, { botId, version, max, validUntilMs: Math.min(round.endsAt.getTime(), ...renewals), tasks });
    },
  };
}
