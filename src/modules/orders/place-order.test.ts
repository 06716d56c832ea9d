import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openRichAccount } from '../../../test/support/advertiser.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { freshUser } from '../../../test/support/sandbox.ts';
import { CHANGES_CHANNEL, decodeChange } from '../../core/changes.ts';
import { systemClock } from '../../core/clock.ts';
import type { Subscription } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { createSecrets } from '../../core/secrets.ts';
import { moveOwnOrder, topUpOwnOrder } from './change-own-order.ts';
import { stopOrder } from './moderate-order.ts';
import type { Order } from './order.ts';
import { pauseForLostAccess } from './pause-orders.ts';
import { botOwnerCode, type PlaceOrderInput, placeOrder } from './place-order.ts';
import type { RequestedResource, Resolution } from './resource-resolver.ts';
import { findOrders } from './store.ts';

const LINK = 'https://t.me/a_channel';
const secrets = createSecrets('x'.repeat(32));
let database: TestDatabase;
/** The response of the fake Telegram, and the requests that it received. */
let resolution: Resolution;
let nameOfBot: string;
let asked: RequestedResource[];
/** The orders that were published as changed. */
let published: number[];
/** The accounts that were published as advertising something new. */
let advertisers: number[];
let subscription: Subscription;

before(async () => {
  database = await createTestDatabase();
  subscription = await database.db.listen(CHANGES_CHANNEL, {
    onNotify: () => undefined,
    async onOwnNotify(payload) {
      const change = decodeChange(payload);
      if (change?.kind === 'order') published.push(change.id);
      if (change?.kind === 'advertiser') advertisers.push(change.id);
    },
    onReconnect: () => undefined,
  });
});
beforeEach(() => {
  resolution = { kind: 'resolved', resource: { type: 'channel', chatId: -freshUser() } };
  nameOfBot = 'A bot';
  asked = [];
  published = [];
  advertisers = [];
});
after(async () => {
  await subscription.close();
  await database.drop();
});

function deps(isModerated = false) {
  const { db } = database;
  const resolve = async (requested: RequestedResource): Promise<Resolution> => {
    asked.push(requested);
    return resolution;
  };
  return {
    db,
    clock: systemClock,
    secrets,
    resolver: { resolve, nameOfBot: async () => nameOfBot },
    publisherSharePercent: 70,
    isModerated,
    operatorIds: new Set<number>(),
  };
}

const requested = (accountId: number, change: Partial<PlaceOrderInput> = {}): PlaceOrderInput => ({
  accountId,
  key: undefined,
  request: {},
  resource: { type: 'channel', link: LINK },
  terms: {
    name: 'An order',
    title: 'A channel',
    priceKopecks: 1_000n,
    quantity: 10,
    holdSeconds: 3_600,
    refund: true,
    dailyLimit: null,
  },
  ...change,
});

async function read(orderId: number): Promise<Order> {
  const [order] = await findOrders(database.db, [orderId]);
  assert.ok(order);
  return order;
}

const refusedAs =
  (code: string, text = '') =>
  (error: unknown): boolean =>
    error instanceof ApiError && error.code === code && error.message.includes(text);

const ban = (accountId: number): Promise<unknown> =>
  database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1", [accountId]);

test('a bought order is published and active; a moderated order waits for an operator', async () => {
  const accountId = await openRichAccount(database.db);
  const orderId = await placeOrder(deps(), requested(accountId));
  assert.deepEqual([published, advertisers], [[orderId], [accountId]]);
  assert.deepEqual(asked, [{ type: 'channel', link: LINK }]);
  const { status, link } = await read(orderId);
  assert.deepEqual([status, link], ['active', LINK]);
  assert.equal((await read(await placeOrder(deps(true), requested(accountId)))).status, 'moderation');
});

test('the verified link into the chat replaces the given link', async () => {
  const link = 'https://t.me/+proved';
  resolution = { kind: 'resolved', resource: { type: 'channel', chatId: -freshUser(), link } };
  const accountId = await openRichAccount(database.db);
  assert.equal((await read(await placeOrder(deps(), requested(accountId)))).link, link);
});

test('a key buys once, and a rejected request does not use up its key', async () => {
  const accountId = await openRichAccount(database.db, 10_000n);
  const order = requested(accountId, { key: 'k' });
  await ban(accountId);
  await assert.rejects(placeOrder(deps(), order), refusedAs('invalid_token'));
  await database.db.query('UPDATE accounts SET banned_at = NULL, ban_reason = NULL WHERE id = $1', [accountId]);
  const dear = { ...order, terms: { ...order.terms, quantity: 11 } };
  await assert.rejects(placeOrder(deps(), dear), refusedAs('insufficient_funds'));
  const orderId = await placeOrder(deps(), order);
  assert.equal(await placeOrder(deps(), order), orderId);
});

test('an order for a bot requires a proof that the account owns the bot', async () => {
  const accountId = await openRichAccount(database.db);
  const username = `bot_${freshUser()}`;
  resolution = { kind: 'resolved', resource: { type: 'bot', externalUsername: username } };
  const link = `https://t.me/${username}`;
  const order = requested(accountId, { resource: { type: 'bot', link } });
  const code = botOwnerCode(secrets, accountId, username);
  await assert.rejects(placeOrder(deps(), order), refusedAs('resource_refused', code));
  nameOfBot = 'unavailable';
  await assert.rejects(placeOrder(deps(), order), refusedAs('telegram_unavailable'));
  nameOfBot = `A bot ${code}`;
  const placed = await read(await placeOrder(deps(), order));
  assert.deepEqual([placed.link, placed.resource.type, placed.resource.botTokenEncrypted], [link, 'bot', null]);
});

test('an owner can pause, resume and cancel, and each change is published', async () => {
  const accountId = await openRichAccount(database.db);
  const orderId = await placeOrder(deps(), requested(accountId));
  const ref = { accountId, orderId };
  for (const to of ['paused', 'active', 'cancelled'] as const) {
    published = [];
    await moveOwnOrder(deps(), ref, to);
    assert.deepEqual([(await read(orderId)).status, published], [to, [orderId]]);
  }
  assert.equal(asked.length, 1, 'Telegram is asked when it is bought, not again');
  await assert.rejects(moveOwnOrder(deps(), ref, 'active'), refusedAs('wrong_status', 'cancelled'));
  await assert.rejects(topUpOwnOrder(deps(), ref, { quantity: 1, key: 'k' }), refusedAs('wrong_status', 'cancelled'));
});

test('an owner cannot start an order in moderation, a stopped order, or any order while banned', async () => {
  const accountId = await openRichAccount(database.db);
  const waiting = { accountId, orderId: await placeOrder(deps(true), requested(accountId)) };
  await assert.rejects(moveOwnOrder(deps(), waiting, 'active'), refusedAs('wrong_status', 'moderation'));
  await moveOwnOrder(deps(), waiting, 'cancelled');

  const ref = { accountId, orderId: await placeOrder(deps(), requested(accountId)) };
  await database.db.transaction((tx) => stopOrder(tx, { ...ref, reason: 'odd', at: systemClock.now() }));
  await assert.rejects(moveOwnOrder(deps(), ref, 'active'), refusedAs('wrong_status', 'stopped by an operator'));
  await ban(accountId);
  await assert.rejects(moveOwnOrder(deps(), ref, 'active'), refusedAs('invalid_token'));
  await moveOwnOrder(deps(), ref, 'cancelled');
});

test('an order that lost access resumes only if our bot can see the chat again', async () => {
  const accountId = await openRichAccount(database.db);
  const chatId = freshUser();
  const botToken = '123:token';
  resolution = { kind: 'resolved', resource: { type: 'bot', chatId, botToken } };
  const orderId = await placeOrder(deps(), requested(accountId));
  const ref = { accountId, orderId };
  const { resource } = await read(orderId);
  await database.db.transaction((tx) => pauseForLostAccess(tx, resource.id));
  asked = [];
  resolution = { kind: 'unavailable' };
  await assert.rejects(moveOwnOrder(deps(), ref, 'active'), refusedAs('telegram_unavailable'));
  assert.deepEqual(asked, [{ type: 'bot', link: LINK, chatId, botToken, isKnown: true }]);
  assert.equal((await read(orderId)).status, 'paused');
  resolution = { kind: 'resolved', resource: { type: 'bot', chatId } };
  await moveOwnOrder(deps(), ref, 'active');
  assert.equal((await read(orderId)).status, 'active');
});

test('a top-up buys once per key, and every time without a key', async () => {
  const accountId = await openRichAccount(database.db, 20_000n);
  const ref = { accountId, orderId: await placeOrder(deps(), requested(accountId)) };
  published = [];
  const topUp = (quantity: number, key?: string): Promise<void> => topUpOwnOrder(deps(), ref, { quantity, key });
  await topUp(2, 'k');
  await topUp(2, 'k');
  assert.equal((await read(ref.orderId)).quantity, 12);
  await topUp(1);
  await topUp(1);
  assert.equal((await read(ref.orderId)).quantity, 14);
  assert.deepEqual(new Set(published), new Set([ref.orderId]));
  await assert.rejects(topUp(7), refusedAs('insufficient_funds'));
  await assert.rejects(topUp(1_000_000_000), refusedAs('quantity_too_large'));
});
