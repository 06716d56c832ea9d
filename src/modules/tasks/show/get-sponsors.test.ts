import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../core/database.ts';
import { createSecrets } from '../../../core/secrets.ts';
import type { Bot } from '../../bots/index.ts';
import type { Order } from '../../orders/index.ts';
import type { MembershipStatus } from '../membership.ts';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import type { Task } from '../task.ts';
import { packTasks } from '../task-list.ts';
import {
  createTaskCache,
  type GetSponsorsDeps,
  type GetSponsorsInput,
  getSponsors,
  type TaskWithOrder,
} from './get-sponsors.ts';
import type { Placed } from './place-tasks.ts';
import type { Placement } from './placement.ts';
import type { TaskRequest } from './plan-tasks.ts';
import type { ShowQuery, StoredList, UserRecord } from './show-store.ts';

const PAIR = { userId: 7, botId: 3 };
const ROUND = { ...PAIR, number: 2, requested: 5, endsAt: minutesLater(600) };
const BOT = {
  id: 3,
  accountId: 2,
  roundSeconds: 86_400,
  excludedOrderIds: new Set<number>(),
  excludedResourceTypes: new Set<string>(),
  collectsProfiles: false,
} as unknown as Bot;
const INPUT: GetSponsorsInput = { bot: BOT, userId: 7, action: 'subscribe', max: 2 };
const STRANGER: UserRecord = {
  history: { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() },
  memberOf: new Map(),
  stored: { userId: 7, firstSeenAt: undefined, learned: {} },
};

type Kind = 'channel' | 'bot' | 'external';

/** An order of the resource with ten times its id. */
const order = (id: number, kind: Kind = 'channel'): Order =>
  ({
    id,
    accountId: 1,
    resource: {
      id: id * 10,
      type: kind === 'channel' ? 'channel' : 'bot',
      chatId: -id,
      botTokenEncrypted: kind === 'bot' ? Buffer.from('sealed') : null,
    },
    link: `https://t.me/order_${id}`,
    priceKopecks: 1000n,
    chargeKopecks: 1500n,
    filters: {},
    excludedBotIds: new Set(),
  }) as unknown as Order;

const listOf = (tasks: readonly Task[], changes: Partial<StoredList> = {}): StoredList => ({
  ...PAIR,
  isBanned: false,
  round: ROUND,
  packedTasks: packTasks(tasks),
  version: 1,
  lostOrders: [],
  ...changes,
});

interface World {
  readonly orders?: readonly Order[];
  readonly list?: StoredList;
  readonly record?: UserRecord;
  /** By resource id; for any other resource the check budget is used up. */
  readonly statuses?: Readonly<Record<number, MembershipStatus>>;
  /** The outcome of each placement; the last one repeats. */
  readonly placed?: readonly Placed[];
  readonly deps?: Partial<GetSponsorsDeps>;
}

/** Runs the use case with stubs and records what it reads, checks and writes. */
function stage({ orders = [], list, record = STRANGER, statuses = {}, placed, deps = {} }: World) {
  const seen = {
    queries: [] as ShowQuery[],
    placements: [] as Placement[],
    checked: [] as number[],
    denied: [] as number[],
    members: [] as unknown[],
    full: [] as number[],
    limit: 0,
  };
  const byId = new Map(orders.map((one) => [one.id, one]));
  const stored = list ?? listOf([], { round: undefined, packedTasks: undefined, version: undefined });
  const parts = {
    db: {
      query: async (sql: string, values: number[][]) =>
        sql.includes('access_rechecks') ? seen.denied.push(...(values[0] ?? [])) : seen.members.push(values),
    } as unknown as Database,
    clock: { now: () => NOON },
    book: {
      match: (_: unknown, limit: number, isWanted: (one: Order) => boolean) => {
        seen.limit = limit;
        return orders.filter(isWanted).slice(0, limit);
      },
      lookup: async (ids: readonly number[]) =>
        new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)]] : [])) as [number, Order][]),
      recall: () => undefined,
      approvalPercent: () => 40,
      markFull: (id: number) => seen.full.push(id),
    },
    membershipChecker: {
      checkIfAffordable: ({ id }: { id: number }) => {
        seen.checked.push(id);
        return statuses[id] === undefined ? undefined : Promise.resolve(statuses[id]);
      },
    },
    reads: {
      submit: async (query: ShowQuery) => {
        seen.queries.push(query);
        return { list: stored, record, memberOf: new Map() };
      },
    },
    cache: { get: () => undefined, has: () => true, set: () => undefined },
    placements: {
      submit: async (placement: Placement): Promise<Placed> => {
        seen.placements.push(placement);
        return placed?.[seen.placements.length - 1] ?? placed?.at(-1) ?? { kind: 'placed', tasks: [], fullOrders: [] };
      },
    },
    reservationSeconds: 3600,
    candidateCheckMs: 60_000,
    secrets: createSecrets('a key of the tests'),
    unknownCharge: 'full',
    quality: { of: () => ({ score: null, level: 'new', holdSeconds: 0, orderShare: null }) },
    userLimits: { perHour: 0, perDay: 0, usersPerDevice: 0, hidesTasks: false },
    connections: { of: () => new Set() },
    personalLink: () => 'https://links.example/one',
    ...deps,
  } as unknown as GetSponsorsDeps;
  const ask = async (changes: Partial<GetSponsorsInput> = {}) =>
    (await getSponsors(parts, { ...INPUT, ...changes })).tasks;
  const place = async (changes: Partial<GetSponsorsInput> = {}): Promise<Placement> => {
    await ask(changes);
    const placement = seen.placements.at(-1);
    assert.ok(placement, 'nothing was placed');
    return placement;
  };
  return { seen, ask, place };
}

test('a banned user gets no tasks, and none are chosen', async () => {
  const { seen, ask } = stage({ orders: [order(1)], list: listOf([], { isBanned: true }) });
  assert.deepEqual(await ask(), []);
  assert.deepEqual(seen.placements, []);
});

test('an unchanged list is returned without a write', async () => {
  const tasks = [taskWith({ orderId: 1, round: 2, position: 1 }), taskWith({ orderId: 2, round: 2, position: 2 })];
  const { seen, ask } = stage({ orders: [order(1), order(2, 'external')], list: listOf(tasks) });
  const answer = await ask();
  assert.deepEqual(
    answer.map((task) => [task.order.id, task.approvalPercent]),
    [
      [1, undefined],
      [2, 40],
    ],
  );
  assert.equal(answer[0]?.link, 'https://t.me/order_1');
  assert.match(answer[1]?.link ?? '', /^https:\/\/t\.me\/order_2\?start=./);
  assert.deepEqual(seen.placements, []);
});

test('four spare candidates are chosen and passed to the placement', async () => {
  const orders = [1, 2, 3, 4, 5, 6, 7].map((id) => order(id));
  const { seen, place } = stage({ orders });
  assert.deepEqual((await place()).candidateIds, [1, 2, 3, 4, 5, 6]);
  assert.equal(seen.limit, 6);
});

test('as many candidates as needed are checked, and one more for each that cannot be shown', async () => {
  const orders = [1, 2, 3, 4, 5].map((id) => order(id));
  const statuses = { 10: 'member', 20: 'left', 30: 'no_access', 40: 'removed', 50: 'left' } as const;
  const { seen, place } = stage({ orders, statuses });
  const placement = await place();
  assert.deepEqual(seen.checked, [10, 20, 30, 40]);
  assert.deepEqual([...placement.memberResources], [10]);
  assert.deepEqual([...placement.outsideResources], [20, 40]);
  assert.deepEqual([...placement.barredResources], [30]);
  assert.deepEqual(seen.denied, [30]);
  assert.equal(seen.members.length, 1, 'the membership is stored');
  assert.equal(placement.isKnownToTelegram, true, 'Telegram knows a user who is a member');
});

test('an unchecked channel is shown, and its user does not count as a non-member', async () => {
  const { seen, place } = stage({ orders: [order(1), order(2), order(3)], statuses: { 10: 'unavailable' } });
  const placement = await place();
  assert.deepEqual(seen.checked, [10, 20]);
  assert.deepEqual([...placement.outsideResources], []);
  assert.deepEqual(placement.candidateIds, [1, 2, 3]);
  assert.deepEqual([seen.denied, seen.members], [[], []]);
  assert.equal(placement.isKnownToTelegram, false);
});

test('a bot is shown only after a check, unless its advertiser checks it', async () => {
  const orders = [order(1, 'bot'), order(2, 'bot'), order(3, 'external'), order(4, 'external'), order(5, 'bot')];
  const { seen, place } = stage({ orders, statuses: { 20: 'left' } });
  assert.deepEqual((await place()).candidateIds, [2, 3, 4]);
  assert.deepEqual(seen.checked, [10, 20, 30], 'an unchecked bot does not count');
});

test('only expired tasks of the running round are checked before new candidates', async () => {
  const tasks = [
    taskWith({ orderId: 1, resourceId: 10, round: 2, position: 1, expiresAt: NOON }),
    taskWith({ orderId: 2, resourceId: 20, round: 2, position: 2, state: 'settled', expiresAt: NOON }),
    taskWith({ orderId: 3, resourceId: 30, round: 2, position: 3 }),
    taskWith({ orderId: 4, resourceId: 40, round: 1, position: 1, expiresAt: NOON }),
  ];
  const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => order(id));
  const statuses = Object.fromEntries(orders.map(({ resource }) => [resource.id, 'left' as const]));
  const record = { ...STRANGER, history: { ...STRANGER.history, doneOrders: new Set([2]) } };
  const running = stage({ orders, statuses, record, list: listOf(tasks) });
  assert.deepEqual((await running.place({ max: 2 })).candidateIds, [5, 6, 7, 8]);
  assert.deepEqual(running.seen.checked, [10, 50, 60]);
  const over = stage({ orders, statuses, record, list: listOf(tasks, { round: { ...ROUND, endsAt: NOON } }) });
  await over.place({ max: 2 });
  assert.deepEqual(over.seen.checked, [50, 60]);
});

test('a user is known to Telegram when some stored data came from Telegram', async () => {
  const isKnownToTelegram = async (changes: Partial<UserRecord>): Promise<boolean> =>
    (await stage({ orders: [order(1)], record: { ...STRANGER, ...changes } }).place()).isKnownToTelegram;
  assert.equal(await isKnownToTelegram({}), false);
  assert.equal(await isKnownToTelegram({ memberOf: new Map([[-9, NOON]]) }), true);
  assert.equal(await isKnownToTelegram({ history: { ...STRANGER.history, countedResources: new Set([9]) } }), true);
  assert.equal(await isKnownToTelegram({ stored: { ...STRANGER.stored, learned: { country: 'RU' } } }), true);
});

test('users get their own charge only when unknown values are charged at the base price', async () => {
  const full = await stage({ orders: [order(1)] }).place();
  assert.equal(full.charges, undefined);
  const base = await stage({ orders: [order(1)], deps: { unknownCharge: 'base' } }).place();
  assert.deepEqual(base.charges, new Map([[1, { orderChargeKopecks: 1500n, chargeKopecks: 1000n }]]));
});

test('orders that turn out to be full leave the order book', async () => {
  const { seen, ask } = stage({ orders: [order(1)], placed: [{ kind: 'placed', tasks: [], fullOrders: [1] }] });
  assert.deepEqual(await ask(), []);
  assert.deepEqual(seen.full, [1]);
});

test('a list that changed since the read is read again, at most twenty times', async () => {
  const task = taskWith({ orderId: 1 });
  const later = stage({
    orders: [order(1)],
    placed: [{ kind: 'outdated' }, { kind: 'placed', tasks: [task], fullOrders: [] }],
  });
  assert.deepEqual(
    (await later.ask()).map(({ task }) => task),
    [task],
  );
  assert.equal(later.seen.queries.length, 2);
  const never = stage({ orders: [order(1)], placed: [{ kind: 'outdated' }] });
  await assert.rejects(never.ask(), /changed 20 times/);
  assert.equal(never.seen.placements.length, 20);
});

const USER = { userId: 7, botId: 3 };
const VERSION = 1234;
const round = { ...USER, number: 2, requested: 5, endsAt: minutesLater(600) };
const list = (given: Partial<StoredList> = {}): StoredList => ({
  ...{ ...USER, isBanned: false, round, packedTasks: '[]', version: VERSION, lostOrders: [] },
  ...given,
});
const request = (given: Partial<TaskRequest> = {}): TaskRequest => ({
  ...{ ...USER, accountId: 9, action: 'subscribe', max: 5, roundSeconds: 86_400, reservationSeconds: 3_600, now: NOON },
  ...given,
});
const tasks: TaskWithOrder[] = [
  { task: taskWith({ expiresAt: minutesLater(60) }), order: { id: 11 } as unknown as Order, link: 'https://t.me/a' },
];

const filledCache = (isSame = () => true) => {
  const cache = createTaskCache({ looksTheSame: isSame });
  cache.set(list(), request(), tasks);
  return cache;
};

test('a cached list returns the same tasks until one is due for renewal', () => {
  const cache = filledCache();
  assert.deepEqual([cache.get(request())?.version, cache.get(request())?.tasks], [VERSION, tasks]);
  assert.equal(cache.get(request({ now: new Date(minutesLater(5).getTime() - 1) }))?.tasks, tasks);
  assert.equal(cache.get(request({ now: minutesLater(5) })), undefined);
});

test('another bot, user, number or action, and a changed order, miss the cache', () => {
  const cache = filledCache();
  const changed = [request({ botId: 4 }), request({ userId: 8 }), request({ max: 4 }), request({ action: 'newtask' })];
  for (const other of changed) assert.equal(cache.get(other), undefined, JSON.stringify(other));
  assert.equal(filledCache(() => false).get(request()), undefined, 'an order looks different');
});

test('an entry ends with its round', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  cache.set(list({ round: { ...round, endsAt: minutesLater(1) } }), request(), tasks);
  assert.equal(cache.get(request())?.tasks, tasks);
  assert.equal(cache.get(request({ now: minutesLater(1) })), undefined);
});

test('a list with a lost order, without a round or without a row is not cached', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  cache.set(list({ lostOrders: [5] }), request(), tasks);
  cache.set(list({ round: undefined }), request(), tasks);
  cache.set(list({ version: undefined }), request(), tasks);
  assert.equal(cache.has(USER.userId), false);
});

test('the cache is bounded and evicts the oldest entry', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  for (let userId = 1; userId <= 20_001; userId++) cache.set(list({ userId }), request({ userId }), tasks);
  assert.deepEqual([cache.has(1), cache.has(2), cache.has(20_001)], [false, true, true]);
});
