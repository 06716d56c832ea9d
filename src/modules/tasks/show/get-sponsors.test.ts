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
import type { KnownList } from '../task-list-store.ts';
import { type GetSponsorsDeps, type GetSponsorsInput, getSponsors } from './get-sponsors.ts';
import type { Placed, Placement } from './place-tasks.ts';
import type { Asker, Question } from './show-store.ts';

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
const STRANGER: Asker = {
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

const listOf = (tasks: readonly Task[], changes: Partial<KnownList> = {}): KnownList => ({
  ...PAIR,
  isBanned: false,
  round: ROUND,
  written: packTasks(tasks),
  version: 1,
  lostOrders: [],
  ...changes,
});

interface World {
  readonly orders?: readonly Order[];
  readonly list?: KnownList;
  readonly asker?: Asker;
  /** By resource; about any other Telegram cannot be asked now. */
  readonly verdicts?: Readonly<Record<number, MembershipStatus>>;
  /** What each attempt to write comes to; the last one again and again. */
  readonly placed?: readonly Placed[];
  readonly deps?: Partial<GetSponsorsDeps>;
}

/** The use case with everything around it played: what it was asked, and what it wrote. */
function stage({ orders = [], list, asker = STRANGER, verdicts = {}, placed, deps = {} }: World) {
  const seen = {
    questions: [] as Question[],
    placements: [] as Placement[],
    asked: [] as number[],
    doubted: [] as number[],
    members: [] as unknown[],
    full: [] as number[],
    limit: 0,
  };
  const byId = new Map(orders.map((one) => [one.id, one]));
  const known = list ?? listOf([], { round: undefined, written: undefined, version: undefined });
  const parts = {
    db: { query: async (_: string, values: unknown[]) => seen.members.push(values) } as unknown as Database,
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
        seen.asked.push(id);
        return verdicts[id] === undefined ? undefined : Promise.resolve(verdicts[id]);
      },
    },
    access: { doubt: async (lost: readonly { id: number }[]) => seen.doubted.push(...lost.map(({ id }) => id)) },
    known: {
      submit: async (question: Question) => {
        seen.questions.push(question);
        return { list: known, asker };
      },
    },
    answers: { recall: () => undefined, has: () => true, keep: () => undefined },
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
    personalLink: () => 'https://links.example/one',
    ...deps,
  } as unknown as GetSponsorsDeps;
  const ask = (changes: Partial<GetSponsorsInput> = {}) => getSponsors(parts, { ...INPUT, ...changes });
  const place = async (changes: Partial<GetSponsorsInput> = {}): Promise<Placement> => {
    await ask(changes);
    const placement = seen.placements.at(-1);
    assert.ok(placement, 'nothing was placed');
    return placement;
  };
  return { seen, ask, place };
}

test('a banned user is shown nothing, and nothing is looked for', async () => {
  const { seen, ask } = stage({ orders: [order(1)], list: listOf([], { isBanned: true }) });
  assert.deepEqual(await ask(), []);
  assert.deepEqual(seen.placements, []);
});

test('an open list is shown as it is', async () => {
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

test('four candidates more than asked for are looked at, and all of them are handed on', async () => {
  const orders = [1, 2, 3, 4, 5, 6, 7].map((id) => order(id));
  const { seen, place } = stage({ orders });
  assert.deepEqual((await place()).candidateIds, [1, 2, 3, 4, 5, 6]);
  assert.equal(seen.limit, 6);
});

test('Telegram is asked about as many candidates as are needed, and about the next for each that falls away', async () => {
  const orders = [1, 2, 3, 4, 5].map((id) => order(id));
  const verdicts = { 10: 'member', 20: 'left', 30: 'no_access', 40: 'removed', 50: 'left' } as const;
  const { seen, place } = stage({ orders, verdicts });
  const placement = await place();
  assert.deepEqual(seen.asked, [10, 20, 30, 40]);
  assert.deepEqual([...placement.memberResources], [10]);
  assert.deepEqual([...placement.outsideResources], [20, 40]);
  assert.deepEqual([...placement.barredResources], [30]);
  assert.deepEqual(seen.doubted, [30]);
  assert.equal(seen.members.length, 1, 'the membership is kept');
  assert.equal(placement.isSeen, true, 'Telegram knows a user who is a member');
});

test('who could not be asked about is shown all the same, and is not known to be outside', async () => {
  const { seen, place } = stage({ orders: [order(1), order(2), order(3)], verdicts: { 10: 'unavailable' } });
  const placement = await place();
  assert.deepEqual(seen.asked, [10, 20]);
  assert.deepEqual([...placement.outsideResources], []);
  assert.deepEqual(placement.candidateIds, [1, 2, 3]);
  assert.deepEqual([seen.doubted, seen.members], [[], []]);
  assert.equal(placement.isSeen, false);
});

test('a bot is shown only after Telegram was asked about it, unless its advertiser checks it', async () => {
  const orders = [order(1, 'bot'), order(2, 'bot'), order(3, 'external'), order(4, 'external'), order(5, 'bot')];
  const { seen, place } = stage({ orders, verdicts: { 20: 'left' } });
  assert.deepEqual((await place()).candidateIds, [2, 3, 4]);
  assert.deepEqual(seen.asked, [10, 20, 30], 'one that could not be asked about fills no place');
});

test('lapsed tasks of the running round are asked about before anything new, and no others', async () => {
  const tasks = [
    taskWith({ orderId: 1, resourceId: 10, round: 2, position: 1, expiresAt: NOON }),
    taskWith({ orderId: 2, resourceId: 20, round: 2, position: 2, state: 'settled', expiresAt: NOON }),
    taskWith({ orderId: 3, resourceId: 30, round: 2, position: 3 }),
    taskWith({ orderId: 4, resourceId: 40, round: 1, position: 1, expiresAt: NOON }),
  ];
  const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => order(id));
  const verdicts = Object.fromEntries(orders.map(({ resource }) => [resource.id, 'left' as const]));
  const asker = { ...STRANGER, history: { ...STRANGER.history, doneOrders: new Set([2]) } };
  const running = stage({ orders, verdicts, asker, list: listOf(tasks) });
  assert.deepEqual((await running.place({ max: 2 })).candidateIds, [5, 6, 7, 8]);
  assert.deepEqual(running.seen.asked, [10, 50, 60]);
  const over = stage({ orders, verdicts, asker, list: listOf(tasks, { round: { ...ROUND, endsAt: NOON } }) });
  await over.place({ max: 2 });
  assert.deepEqual(over.seen.asked, [50, 60]);
});

test('a user is seen when anything that is stored came from Telegram', async () => {
  const isSeen = async (changes: Partial<Asker>): Promise<boolean> =>
    (await stage({ orders: [order(1)], asker: { ...STRANGER, ...changes } }).place()).isSeen;
  assert.equal(await isSeen({}), false);
  assert.equal(await isSeen({ memberOf: new Map([[-9, NOON]]) }), true);
  assert.equal(await isSeen({ history: { ...STRANGER.history, countedResources: new Set([9]) } }), true);
  assert.equal(await isSeen({ stored: { ...STRANGER.stored, learned: { country: 'RU' } } }), true);
});

test('each user is charged for what is known only where the service is set to it', async () => {
  const full = await stage({ orders: [order(1)] }).place();
  assert.equal(full.charges, undefined);
  const base = await stage({ orders: [order(1)], deps: { unknownCharge: 'base' } }).place();
  assert.deepEqual(base.charges, new Map([[1, { ofOrder: 1500n, chargeKopecks: 1000n }]]));
});

test('orders that turned out to be full are no longer proposed', async () => {
  const { seen, ask } = stage({ orders: [order(1)], placed: [{ kind: 'placed', tasks: [], fullOrders: [1] }] });
  assert.deepEqual(await ask(), []);
  assert.deepEqual(seen.full, [1]);
});

test('a list that was changed in the meantime is read again, twenty times at most', async () => {
  const task = taskWith({ orderId: 1 });
  const later = stage({
    orders: [order(1)],
    placed: [{ kind: 'outdated' }, { kind: 'placed', tasks: [task], fullOrders: [] }],
  });
  assert.deepEqual(
    (await later.ask()).map(({ task }) => task),
    [task],
  );
  assert.equal(later.seen.questions.length, 2);
  const never = stage({ orders: [order(1)], placed: [{ kind: 'outdated' }] });
  await assert.rejects(never.ask(), /changed 20 times/);
  assert.equal(never.seen.placements.length, 20);
});
