import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { openAccount } from '../accounts/index.ts';
import { generateToken, looksLikeToken } from './bot.ts';
import { issueToken, rotateToken } from './manage-tokens.ts';
import { registerBot, switchBot } from './register-bot.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

const AT = new Date('2026-05-10T12:00:00Z');

let database: TestDatabase;
/** The real database, seen through a glass that counts and can hold an answer on its way back. */
let queries = 0;
let onTheWay: Promise<void> | undefined;
const counted: Queryable = {
  async query(sql, params) {
    queries++;
    const rows = await database.db.query(sql, params);
    await onTheWay;
    return rows as never;
  },
};
let directory: TokenCache;
const bots: { readonly id: number; readonly token: string }[] = [];

before(async () => {
  database = await createTestDatabase();
  await database.db.transaction(async (tx) => {
    const account = await openAccount(tx, { telegramUserId: 1, name: 'Owner', at: AT });
    for (const username of ['first_bot', 'second_bot']) {
      const bot = await registerBot(tx, { accountId: account.id, username, at: AT });
      assert.ok(bot);
      bots.push({ id: bot.id, token: await issueToken(tx, { botId: bot.id, scopes: ['beta'], at: AT }) });
    }
  });
});
after(() => database.drop());
beforeEach(() => {
  directory = createTokenCache(counted);
  queries = 0;
  onTheWay = undefined;
});

function botAt(index: number) {
  const bot = bots[index];
  assert.ok(bot);
  return bot;
}

const switchTo = (botId: number, isActive: boolean) => database.db.transaction((tx) => switchBot(tx, botId, isActive));

describe('a token', () => {
  test('is looked up once and then remembered, with its bot and what it may do', async () => {
    const { id, token } = botAt(0);
    assert.equal(directory.recall(token), undefined, 'nothing is known at first');
    const holder = await directory.find(token);
    assert.deepEqual([holder?.bot.id, holder?.bot.username, holder?.scopes], [id, 'first_bot', ['beta']]);
    assert.equal(directory.recall(token), holder);
    assert.equal(await directory.find(token), holder);
    assert.equal(queries, 1);
  });

  test('that nobody has is nobody’s, every time, and is not remembered as such', async () => {
    const unknown = generateToken();
    assert.equal(await directory.find(unknown), undefined);
    await database.db.transaction((tx) => issueToken(tx, { botId: botAt(0).id, scopes: [], at: AT, token: unknown }));
    assert.equal((await directory.find(unknown))?.bot.id, botAt(0).id);
  });

  test('of a bot that is switched off is nobody’s', async () => {
    const { id, token } = botAt(0);
    await switchTo(id, false);
    assert.equal(await directory.find(token), undefined);
    await switchTo(id, true);
    assert.equal((await directory.find(token))?.bot.id, id);
  });

  test('that cannot be one never reaches the database', async () => {
    const junk = ['', 'at', 'AT_x', 'xat_y', ' at_x', 'Bearer at_x', `at_${'x'.repeat(126)}`, '\u0000', '👾'];
    for (const token of junk) {
      assert.equal(directory.recall(token), undefined);
      assert.equal(await directory.find(token), undefined, JSON.stringify(token));
    }
    assert.equal(queries, 0);
  });

  test('that looks like one and holds odd characters is merely unknown', async () => {
    for (const token of ['at_', 'at_\u0000', "at_' OR 1=1 --", 'at_👾', `at_${'x'.repeat(125)}`]) {
      assert.equal(await directory.find(token), undefined, JSON.stringify(token));
    }
    assert.equal(queries, 5);
  });
});

describe('forgetting', () => {
  test('a change of one bot forgets its tokens and no others', async () => {
    for (const { token } of bots) await directory.find(token);
    directory.forgetBot(botAt(0).id);
    assert.equal(directory.recall(botAt(0).token), undefined);
    assert.equal(directory.recall(botAt(1).token)?.bot.id, botAt(1).id);
    await directory.find(botAt(0).token);
    assert.equal(queries, 3);
  });

  test('everything can be forgotten at once', async () => {
    for (const { token } of bots) await directory.find(token);
    directory.forgetAll();
    for (const { token } of bots) assert.equal(directory.recall(token), undefined);
  });

  for (const forget of ['forgetBot', 'forgetAll'] as const) {
    test(`an answer that was on its way during ${forget} is used once and not kept`, async () => {
      const { id, token } = botAt(0);
      const way = Promise.withResolvers<void>();
      onTheWay = way.promise;
      const finding = directory.find(token);
      while (queries === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      // The bot is switched off, and the news of it arrives, after the answer was read and before it is here.
      directory[forget](id);
      way.resolve();
      onTheWay = undefined;
      assert.equal((await finding)?.bot.id, id);
      assert.equal(directory.recall(token), undefined);
      await directory.find(token);
      assert.equal(queries, 2);
      assert.equal(directory.recall(token)?.bot.id, id, 'what is read afterwards is kept again');
    });
  }

  test('even when no news ever arrives a token is looked up anew within a minute', async (t) => {
    const { token } = botAt(0);
    let now = 1_000_000;
    t.mock.method(performance, 'now', () => now);
    await directory.find(token);
    now += 60_000;
    assert.equal(directory.recall(token), undefined);
    await directory.find(token);
    assert.equal(queries, 2);
  });
});

test('a token that is being replaced is refused from the millisecond of its end, remembered or not', async () => {
  let now = AT;
  const clock = { now: () => now };
  const { id } = botAt(1);
  const token = await database.db.transaction((tx) => issueToken(tx, { botId: id, scopes: [], at: AT }));
  await database.db.transaction((tx) => rotateToken(tx, { botId: id, graceSeconds: 10, at: AT }));
  const end = addSeconds(AT, 10);
  const remembering = createTokenCache(counted, clock);
  now = new Date(end.getTime() - 1);
  assert.deepEqual((await remembering.find(token))?.validUntil, end);
  assert.equal(remembering.recall(token)?.bot.id, id);
  assert.equal(queries, 1, 'it is remembered to its last moment');
  now = end;
  assert.equal(remembering.recall(token), undefined);
  assert.equal(await remembering.find(token), undefined);
  assert.equal(await createTokenCache(counted, clock).find(token), undefined);
});

test('a database that fails is the caller to know, and nothing is remembered of it', async () => {
  const { token, id } = botAt(0);
  const way = Promise.withResolvers<void>();
  onTheWay = way.promise;
  const finding = assert.rejects(directory.find(token), /gone/);
  way.promise.catch(() => undefined);
  way.reject(new Error('gone'));
  await finding;
  onTheWay = undefined;
  assert.equal((await directory.find(token))?.bot.id, id);
});

test('tokens begin with at_, look like tokens and are never the same', () => {
  const tokens = Array.from({ length: 1000 }, generateToken);
  assert.equal(new Set(tokens).size, 1000);
  for (const token of tokens) assert.ok(/^at_[\w-]{43}$/.test(token) && looksLikeToken(token), token);
});
