import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buyOrder, channel, type OrderFields, openRichAccount } from '../../../test/support/advertiser.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { freshUser } from '../../../test/support/sandbox.ts';
import type { Transaction } from '../../core/database.ts';
import { createSecrets } from '../../core/secrets.ts';
import { changeOrderStatus } from './change-order.ts';
import { BOT_TOKEN_PURPOSE } from './create-order.ts';
import { resumeStoppedOrder, stopOrder } from './moderate-order.ts';
import { countInModeration, countOrdersByStatus, findStop, listIdsInModeration } from './moderation-store.ts';
import type { Order } from './order.ts';
import { moveOrdersToChat, pauseForLostAccess, pauseForLowApproval, pauseForRemovals } from './pause-orders.ts';
import { botOwnerCode, proveBotOwner } from './place-order.ts';
import { addRemovals, changeProgress, clearRemovals, numberRefunds, readNextActive } from './progress-store.ts';
import {
  findChatFacts,
  findOpenLinks,
  findResourceByChat,
  findResources,
  findSealedBotToken,
  isBotOwner,
  listChatsToFollow,
  recordBotOwner,
  replaceLinks,
  sampleActiveChannels,
  saveChatFacts,
} from './resource-store.ts';
import {
  countPausedOrders,
  findOrders,
  findTerms,
  listActiveOrders,
  listOrders,
  listOrdersOfAccount,
  listOrdersOfResource,
} from './store.ts';

const AT = new Date('2026-05-10T12:00:00Z');
const UNKNOWN = 999_999;
const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1000);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const freshChat = (): number => -freshUser();
const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.db.transaction(work);

/** Buys an order with its own account, and with its own channel unless `fields` names one. */
async function bought(fields: Partial<OrderFields> = {}): Promise<Order> {
  const accountId = fields.accountId ?? (await openRichAccount(database.db));
  return read(await buyOrder(database.db, { resource: channel(freshChat()), at: AT, ...fields, accountId }));
}

async function read(orderId: number): Promise<Order> {
  const [order] = await findOrders(database.db, [orderId]);
  assert.ok(order);
  return order;
}

const move = (orderId: number, to: 'paused' | 'active' | 'cancelled'): Promise<unknown> =>
  write((tx) => changeOrderStatus(tx, { orderId, to, at: AT }));

async function states(...orders: readonly Order[]): Promise<(string | null)[][]> {
  const now = await Promise.all(orders.map(({ id }) => read(id)));
  return now.map(({ status, pauseReason }) => [status, pauseReason]);
}

const idsOf = (orders: Iterable<{ readonly id: number }>): number[] => Array.from(orders, ({ id }) => id);

test('the facts of a chat are stored, and stay when the chat is no longer visible', async () => {
  const facts = { title: 'News', username: 'news', members: 12 };
  const { resource } = await bought({ resource: { type: 'channel', chatId: freshChat(), chat: facts } });
  const other = await bought();
  const known = (): Promise<unknown> => findChatFacts(database.db, resource.id);
  assert.deepEqual(await known(), facts);
  assert.equal(await findChatFacts(database.db, other.resource.id), undefined, 'no check asked about it');

  await saveChatFacts(database.db, resource.id, undefined, later(1));
  assert.deepEqual(await known(), facts);
  await saveChatFacts(database.db, resource.id, { title: 'Private', username: null, members: 0 }, later(2));
  assert.deepEqual(await known(), { title: 'Private', username: null, members: 0 });
  await saveChatFacts(database.db, other.resource.id, undefined, AT);
  assert.equal(await findChatFacts(database.db, other.resource.id), undefined, 'Telegram did not answer');
});

test('channels with open orders are queried again, the oldest query first', async () => {
  const [second, first, third] = [await bought(), await bought({ at: later(-60) }), await bought()];
  const closed = await bought();
  await move(closed.id, 'cancelled');
  const ownBot = await bought({ resource: { type: 'bot', chatId: freshUser() } });
  const ours = new Map([second, first, third, closed, ownBot].map(({ resource }) => [resource.id, resource.chatId]));
  const toFollow = async (seconds: number, limit = 1_000): Promise<number[]> => {
    const chats = await listChatsToFollow(database.db, { askedBefore: later(seconds), limit });
    for (const { resourceId, chatId } of chats) assert.equal(chatId, ours.get(resourceId) ?? chatId);
    return chats.map(({ resourceId }) => resourceId).filter((id) => ours.has(id));
  };
  const [a, b, c] = [first.resource.id, second.resource.id, third.resource.id];
  assert.deepEqual(await toFollow(1), [a, b, c]);
  assert.deepEqual(await toFollow(0), [a], 'not those of this very moment');
  assert.deepEqual(await toFollow(1, 1), [a]);
  await saveChatFacts(database.db, a, undefined, later(10));
  assert.deepEqual(await toFollow(1), [b, c]);
  assert.deepEqual(await toFollow(11), [b, c, a]);
});

test('only the links of the open orders for a chat are found and replaced', async () => {
  const chatId = freshChat();
  const at = (link: string, fields: Partial<OrderFields> = {}) =>
    bought({ resource: channel(chatId), link, ...fields });
  const old = await at('https://t.me/old_name');
  const twice = await at('https://t.me/old_name', { status: 'moderation' });
  const invite = await at('https://t.me/+invite');
  const closed = await at('https://t.me/closed_name');
  await move(closed.id, 'cancelled');
  const elsewhere = await bought({ link: 'https://t.me/old_name' });
  const found = await findOpenLinks(database.db, chatId);
  assert.deepEqual(
    { ...found, links: [...(found?.links ?? [])].sort() },
    { resourceId: old.resource.id, chatId, checkerId: null, links: ['https://t.me/+invite', 'https://t.me/old_name'] },
  );
  assert.equal(await findOpenLinks(database.db, freshChat()), undefined);
  const ownBot = await bought({ resource: { type: 'bot', chatId: freshUser() } });
  assert.equal(await findOpenLinks(database.db, ownBot.resource.chatId), undefined, 'a bot is no chat');

  const links = ['https://t.me/old_name', 'https://t.me/closed_name'];
  const replaced = await write((tx) =>
    replaceLinks(tx, { resourceId: old.resource.id, links, by: 'https://t.me/new_name' }),
  );
  assert.deepEqual(
    replaced.sort((a, b) => a.id - b.id),
    [old, twice].map(({ id, accountId, title }) => ({ id, accountId, title })),
  );
  const linkOf = async ({ id }: Order): Promise<string> => (await read(id)).link;
  assert.deepEqual(await Promise.all([old, twice, invite, closed, elsewhere].map(linkOf)), [
    'https://t.me/new_name',
    'https://t.me/new_name',
    'https://t.me/+invite',
    'https://t.me/closed_name',
    'https://t.me/old_name',
  ]);
});

const moveChat = (from: number, to: number) => write((tx) => moveOrdersToChat(tx, { from, to, at: AT }));

test('a chat with a new id keeps its orders, and orders paused for lost access resume', async () => {
  const [from, to] = [freshChat(), freshChat()];
  const lost = await bought({ resource: channel(from) });
  const other = await bought();
  await write((tx) => pauseForLostAccess(tx, lost.resource.id));
  await write((tx) => pauseForLostAccess(tx, other.resource.id));
  const paused = await bought({ resource: channel(from) });
  await move(paused.id, 'paused');
  const closed = await bought({ resource: channel(from) });
  await move(closed.id, 'cancelled');

  assert.deepEqual(idsOf((await moveChat(from, to)) ?? []), [lost.id, paused.id]);
  assert.deepEqual(await states(lost, paused, closed, other), [
    ['active', null],
    ['paused', 'owner'],
    ['cancelled', null],
    ['paused', 'access_lost'],
  ]);
  const { resource } = await read(lost.id);
  assert.deepEqual([resource.id, resource.chatId], [lost.resource.id, to]);
  assert.equal((await read(other.id)).resource.chatId, other.resource.chatId);
  assert.equal(await moveChat(from, to), undefined, 'nothing has the old id any more');
});

test('a chat that was ordered under both ids becomes one resource, and each user still counts once', async () => {
  const [from, to] = [freshChat(), freshChat()];
  const [old, present, other] = [
    await bought({ resource: channel(from) }),
    await bought({ resource: channel(to) }),
    await bought(),
  ];
  const [inBoth, inOld, elsewhere] = [freshUser(), freshUser(), freshUser()];
  const count = (userId: number, { resource, id }: Order, botId: number): Promise<unknown> =>
    database.db.query(
      `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [userId, resource.id, botId, id, AT],
    );
  await count(inBoth, old, 1);
  await count(inBoth, present, 2);
  await count(inOld, old, 1);
  await count(elsewhere, other, 3);

  assert.deepEqual(idsOf((await moveChat(from, to)) ?? []), [old.id, present.id]);
  assert.equal((await read(old.id)).resource.id, present.resource.id);
  assert.equal((await read(other.id)).resource.id, other.resource.id);
  const counted = await database.db.query<{ user_id: bigint; bot_id: bigint; order_id: bigint; counted_at: Date }>(
    'SELECT user_id, bot_id, order_id, counted_at FROM counted_subscriptions WHERE resource_id = $1 ORDER BY user_id',
    [present.resource.id],
  );
  assert.deepEqual(
    counted.map((row) => [Number(row.user_id), Number(row.bot_id), Number(row.order_id), row.counted_at]),
    [
      [inBoth, 2, present.id, AT],
      [inOld, 1, old.id, AT],
    ],
  );
  assert.equal(await moveChat(from, to), undefined, 'it moved before');
});

const stop = (orderId: number) => write((tx) => stopOrder(tx, { orderId, reason: 'a complaint', at: AT }));
const resume = (orderId: number) => write((tx) => resumeStoppedOrder(tx, { orderId, at: AT }));

test('a stopped order resumes only if it was active before the stop', async () => {
  const [shown, paused, other] = [await bought(), await bought(), await bought()];
  await move(paused.id, 'paused');
  for (const { id } of [shown, paused]) {
    assert.deepEqual(await stop(id), { kind: 'done' });
    assert.deepEqual(await stop(id), { kind: 'unchanged' });
  }
  assert.deepEqual(await findStop(database.db, shown.id), { at: AT, reason: 'a complaint', wasActive: true });
  assert.deepEqual(await findStop(database.db, paused.id), { at: AT, reason: 'a complaint', wasActive: false });
  assert.equal(await findStop(database.db, other.id), undefined);
  assert.deepEqual(await states(shown, paused, other), [
    ['paused', 'owner'],
    ['paused', 'owner'],
    ['active', null],
  ]);
  const started = await write((tx) => changeOrderStatus(tx, { orderId: shown.id, to: 'active', at: AT }));
  assert.deepEqual(started, { kind: 'stopped' });

  assert.deepEqual(await resume(shown.id), { kind: 'done' });
  assert.deepEqual(await findStop(database.db, shown.id), undefined);
  assert.ok(await findStop(database.db, paused.id), 'the other is still stopped');
  assert.deepEqual(await resume(paused.id), { kind: 'done' });
  assert.deepEqual(await resume(other.id), { kind: 'unchanged' });
  assert.deepEqual(await states(shown, paused, other), [
    ['active', null],
    ['paused', 'owner'],
    ['active', null],
  ]);
});

test('an order that lost access while stopped stays paused', async () => {
  const order = await bought();
  await stop(order.id);
  await database.db.query("UPDATE orders SET pause_reason = 'access_lost' WHERE id = $1", [order.id]);
  assert.deepEqual(await resume(order.id), { kind: 'done' });
  assert.deepEqual(await states(order), [['paused', 'access_lost']]);
});

test('a closed or moderated order cannot be stopped, and the order of a banned owner cannot be resumed', async () => {
  const waiting = await bought({ status: 'moderation' });
  const closed = await bought();
  await move(closed.id, 'cancelled');
  assert.deepEqual(await stop(waiting.id), { kind: 'not_allowed', status: 'moderation' });
  assert.deepEqual(await stop(closed.id), { kind: 'not_allowed', status: 'cancelled' });
  assert.deepEqual(await stop(UNKNOWN), { kind: 'not_found' });
  assert.deepEqual(await resume(UNKNOWN), { kind: 'not_found' });

  const stopped = await bought();
  await stop(stopped.id);
  const ban = "UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1";
  await database.db.query(ban, [stopped.accountId]);
  assert.deepEqual(await resume(stopped.id), { kind: 'owner_banned' });
  assert.deepEqual(await states(stopped), [['paused', 'owner']]);
});

test('removals are counted one by one and cleared only for the given orders', async () => {
  const [one, two] = [await bought(), await bought()];
  await write((tx) => changeProgress(tx, [{ orderId: one.id, counted: 4 }], '2026-05-10'));
  const add = async (...ids: number[]) =>
    (await write((tx) => addRemovals(tx, ids))).sort((a, b) => a.orderId - b.orderId);
  const both = [
    { orderId: one.id, removed: 2, counted: 4 },
    { orderId: two.id, removed: 1, counted: 0 },
  ];
  assert.deepEqual(await add(one.id, two.id, one.id), both);
  await write((tx) => clearRemovals(tx, [one.id]));
  assert.deepEqual(await add(one.id, two.id), [
    { orderId: one.id, removed: 1, counted: 4 },
    { orderId: two.id, removed: 2, counted: 0 },
  ]);
});

for (const [removals, counted, isPaused] of [
  [2, 0, false],
  [3, 60, true],
  [3, 61, false],
] as const) {
  test(`${removals} removals from ${counted} subscriptions ${isPaused ? 'pause' : 'do not pause'} an order`, async () => {
    const [order, other, waiting] = [await bought(), await bought(), await bought({ status: 'moderation' })];
    await write((tx) => changeProgress(tx, [{ orderId: order.id, counted }], '2026-05-10'));
    const removed = Array<number>(removals).fill(order.id);
    const paused = await write((tx) => pauseForRemovals(tx, [...removed, waiting.id, waiting.id, waiting.id]));
    assert.deepEqual(
      paused.map((one) => [one.order.id, one.removals]),
      isPaused ? [[order.id, removals]] : [],
    );
    assert.deepEqual(await states(order, other, waiting), [
      isPaused ? ['paused', 'removals'] : ['active', null],
      ['active', null],
      ['moderation', null],
    ]);
    // A pause resets the count.
    const [after] = await write((tx) => addRemovals(tx, [order.id]));
    assert.equal(after?.removed, isPaused ? 1 : removals + 1);
  });
}

for (const [approved, declined, isPaused] of [
  [0, 9, false],
  [1, 9, true],
  [2, 8, false],
] as const) {
  test(`${approved} approvals of ${approved + declined} replies ${isPaused ? 'pause' : 'do not pause'} an order`, async () => {
    const [order, other] = [await bought(), await bought()];
    const change = { orderId: order.id, approved, declined };
    await write((tx) => changeProgress(tx, [change, { ...change, orderId: other.id }], '2026-05-10'));
    await write((tx) => pauseForLowApproval(tx, [], AT));
    await write((tx) => pauseForLowApproval(tx, [order.id], AT));
    await write((tx) => pauseForLowApproval(tx, [order.id], AT));
    assert.deepEqual(await states(order, other), [
      isPaused ? ['paused', 'low_approval'] : ['active', null],
      ['active', null],
    ]);
    const told = await database.db.query('SELECT kind, data FROM notices WHERE account_id = $1', [order.accountId]);
    const data = { order_id: order.id, title: order.title, percent: 10 };
    assert.deepEqual(told, isPaused ? [{ kind: 'order_low_approval', data }] : []);
  });
}

test('orders are counted by status, for one account or for all', async () => {
  const [paused, waiting] = [await countPausedOrders(database.db), await countInModeration(database.db)];
  const { accountId, id } = await bought();
  await bought({ accountId });
  const last = await bought({ accountId, status: 'moderation' });
  const next = await bought({ status: 'moderation' });
  await move(id, 'paused');
  assert.deepEqual(
    await countOrdersByStatus(database.db, accountId),
    new Map([
      ['active', 1],
      ['moderation', 1],
      ['paused', 1],
    ]),
  );
  assert.equal(await countPausedOrders(database.db), paused + 1);
  assert.equal(await countInModeration(database.db), waiting + 2);
  const listed = (after: number, limit: number) => listIdsInModeration(database.db, { after, limit });
  assert.deepEqual(await listed(last.id - 1, 9), [last.id, next.id]);
  assert.deepEqual(await listed(last.id - 1, 1), [last.id]);
  assert.deepEqual(await listed(last.id, 9), [next.id]);
});

test('orders are listed by status, resource and account', async () => {
  const mine = await bought();
  const { accountId, resource } = mine;
  const paused = await bought({ accountId });
  await move(paused.id, 'paused');
  const sameChat = await bought({ resource: channel(resource.chatId), at: later(1) });
  const active = idsOf(await listActiveOrders(database.db));
  assert.deepEqual(
    [mine, paused, sameChat].map(({ id }) => active.includes(id)),
    [true, false, true],
  );
  assert.deepEqual(idsOf(await listOrdersOfResource(database.db, resource.id)), [mine.id, sameChat.id]);
  assert.deepEqual(idsOf(await listOrdersOfAccount(database.db, accountId)), [mine.id, paused.id]);
  const all = idsOf(await listOrders(database.db, 2));
  assert.deepEqual([all.length, all[0]], [2, 1]);

  const terms = await findTerms(database.db, [mine.id]);
  assert.deepEqual(terms, [
    {
      id: mine.id,
      resource: { id: resource.id, chatId: resource.chatId },
      status: 'active',
      pauseReason: null,
      chargeKopecks: 1_000n,
      rewardKopecks: 700n,
      quantity: 10,
      holdSeconds: 86_400,
      refund: true,
      dailyLimit: null,
      activeHours: null,
      paceEvenly: false,
    },
  ]);
  const found = await findResources(database.db, [resource.id]);
  assert.deepEqual([...found], [[resource.id, resource]]);
  assert.deepEqual(await findResourceByChat(database.db, resource.chatId), resource);
  assert.equal(await findResourceByChat(database.db, freshChat()), undefined);
});

test('the next active orders are read by id, after the given one', async () => {
  const [first, second, third, fourth] = [await bought(), await bought(), await bought(), await bought()];
  await move(second.id, 'paused');
  const next = async (limit: number): Promise<unknown[]> =>
    (await readNextActive(database.db, first.id, limit)).map(({ orderId, version }) => [orderId, version]);
  assert.deepEqual(await next(1), [[third.id, third.version]]);
  assert.deepEqual(await next(2), [
    [third.id, third.version],
    [fourth.id, fourth.version],
  ]);
});

test('every refund of an order has its own number', async () => {
  const [one, two] = [await bought(), await bought()];
  const number = (...ids: number[]) => write((tx) => numberRefunds(tx, ids));
  assert.deepEqual(await number(one.id), new Map([[one.id, 1]]));
  assert.deepEqual(
    await number(one.id, two.id),
    new Map([
      [one.id, 2],
      [two.id, 1],
    ]),
  );
});

test('a bot token is stored encrypted, a new token replaces it, and an order without a token keeps it', async () => {
  const secrets = createSecrets('y'.repeat(32));
  const chatId = freshUser();
  const tokenOf = async (botToken?: string): Promise<string | undefined> => {
    const { resource } = await bought({ secrets, resource: { type: 'bot', chatId, botToken } });
    const sealed = resource.botTokenEncrypted;
    assert.deepEqual(await findSealedBotToken(database.db), sealed ?? undefined);
    return sealed === null ? undefined : secrets.decrypt(BOT_TOKEN_PURPOSE, sealed);
  };
  assert.equal(await tokenOf('1:first'), '1:first');
  assert.equal(await tokenOf(), '1:first');
  assert.equal(await tokenOf('1:second'), '1:second');
  await bought();
  assert.ok(await findSealedBotToken(database.db), 'a resource without a token is passed by');
});

test('advertised channels are counted once each, and bots are not counted', async () => {
  const before = await sampleActiveChannels(database.db, 1_000);
  const order = await bought();
  await bought({ resource: channel(order.resource.chatId) });
  await bought({ resource: { type: 'bot', chatId: freshUser() } });
  const paused = await bought();
  await move(paused.id, 'paused');
  const { channels, total } = await sampleActiveChannels(database.db, 1_000);
  assert.deepEqual([total, channels.length], [before.total + 1, before.total + 1]);
  assert.deepEqual(
    channels.filter(({ chatId }) => chatId === order.resource.chatId),
    [{ chatId: order.resource.chatId, orderId: order.id }],
  );
  const few = await sampleActiveChannels(database.db, 1);
  assert.deepEqual([few.channels.length, few.total], [1, total]);
});

test('the code in its name proves a bot to one account, and the proof lasts', async () => {
  const [accountId, stranger] = [await openRichAccount(database.db), await openRichAccount(database.db)];
  const secrets = createSecrets('z'.repeat(32));
  const code = botOwnerCode(secrets, accountId, 'Some_Bot');
  assert.match(code, /^SG-[2-9A-HJ-NP-Z]{8}$/);
  assert.notEqual(botOwnerCode(secrets, stranger, 'some_bot'), code);
  let shown = 'Some bot';
  const deps = { db: database.db, clock: { now: () => AT }, secrets, resolver: { nameOfBot: async () => shown } };
  const prove = (id: number) => proveBotOwner(deps, id, 'Some_Bot');
  assert.deepEqual(await prove(accountId), { kind: 'unproved', code });
  shown = 'unavailable';
  assert.deepEqual(await prove(accountId), { kind: 'unavailable' });
  shown = `Some bot ${code}`;
  assert.deepEqual(await prove(accountId), { kind: 'proved' });
  assert.equal((await prove(stranger)).kind, 'unproved');
  shown = 'Some bot';
  assert.deepEqual(await prove(accountId), { kind: 'proved' });
  await recordBotOwner(database.db, { accountId, username: 'some_bot', at: later(1) });
  assert.deepEqual(await isBotOwner(database.db, accountId, 'other_bot'), false);
});
