import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { openAccount } from '../accounts/index.ts';
import { generateToken, looksLikeToken } from './bot.ts';
import { registerBot, switchBot } from './manage-bots.ts';
import { issueToken, rotateToken } from './manage-tokens.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

const AT = new Date('2026-05-10T12:00:00Z');

let database: TestDatabase;
/** The real database; counts queries and can delay their results. */
let queries = 0;
let delay: Promise<void> | undefined;
const counted: Queryable = {
  async query(sql, params) {
    queries++;
    const rows = await database.db.query(sql, params);
    await delay;
    return rows as never;
  },
};
let cache: TokenCache;
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
  cache = createTokenCache(counted);
  queries = 0;
  delay = undefined;
});

function botAt(index: number) {
  const bot = bots[index];
  assert.ok(bot);
  return bot;
}

const switchTo = (botId: number, isActive: boolean) => database.db.transaction((tx) => switchBot(tx, botId, isActive));

describe('the token cache', () => {
  test('queries a token once and then returns its bot and scopes from memory', async () => {
    const { id, token } = botAt(0);
    assert.equal(cache.cached(token), undefined, 'the cache is empty at first');
    const holder = await cache.find(token);
    assert.deepEqual([holder?.bot.id, holder?.bot.username, holder?.scopes], [id, 'first_bot', ['beta']]);
    assert.equal(cache.cached(token), holder);
    assert.equal(await cache.find(token), holder);
    assert.equal(queries, 1);
  });

  test('does not cache that a token is unknown', async () => {
    const unknown = generateToken();
    assert.equal(await cache.find(unknown), undefined);
    await database.db.transaction((tx) => issueToken(tx, { botId: botAt(0).id, scopes: [], at: AT, token: unknown }));
    assert.equal((await cache.find(unknown))?.bot.id, botAt(0).id);
  });

  test('finds no holder for a token of a bot that is switched off', async () => {
    const { id, token } = botAt(0);
    await switchTo(id, false);
    assert.equal(await cache.find(token), undefined);
    await switchTo(id, true);
    assert.equal((await cache.find(token))?.bot.id, id);
  });

  test('does not query the database for text that cannot be a token', async () => {
    const junk = ['', 'at', 'AT_x', 'xat_y', ' at_x', 'Bearer at_x', `at_${'x'.repeat(126)}`, '\u0000', '👾'];
    for (const token of junk) {
      assert.equal(cache.cached(token), undefined);
      assert.equal(await cache.find(token), undefined, JSON.stringify(token));
    }
    assert.equal(queries, 0);
  });

  test('finds no holder for a token with odd characters', async () => {
    for (const token of ['at_', 'at_\u0000', "at_' OR 1=1 --", 'at_👾', `at_${'x'.repeat(125)}`]) {
      assert.equal(await cache.find(token), undefined, JSON.stringify(token));
    }
    assert.equal(queries, 5);
  });
});

describe('invalidation', () => {
  test('a change of one bot removes its tokens and no others', async () => {
    for (const { token } of bots) await cache.find(token);
    cache.invalidateBot(botAt(0).id);
    assert.equal(cache.cached(botAt(0).token), undefined);
    assert.equal(cache.cached(botAt(1).token)?.bot.id, botAt(1).id);
    await cache.find(botAt(0).token);
    assert.equal(queries, 3);
  });

  test('clear removes every token', async () => {
    for (const { token } of bots) await cache.find(token);
    cache.clear();
    for (const { token } of bots) assert.equal(cache.cached(token), undefined);
  });

  for (const invalidate of ['invalidateBot', 'clear'] as const) {
    test(`a result that was read before ${invalidate} is returned and not cached`, async () => {
      const { id, token } = botAt(0);
      const release = Promise.withResolvers<void>();
      delay = release.promise;
      const finding = cache.find(token);
      while (queries === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      cache[invalidate](id);
      release.resolve();
      delay = undefined;
      assert.equal((await finding)?.bot.id, id);
      assert.equal(cache.cached(token), undefined);
      await cache.find(token);
      assert.equal(queries, 2);
      assert.equal(cache.cached(token)?.bot.id, id, 'a later result is cached');
    });
  }

  test('an entry expires within a minute when no change arrives', async (t) => {
    const { token } = botAt(0);
    let now = 1_000_000;
    t.mock.method(performance, 'now', () => now);
    await cache.find(token);
    now += 60_000;
    assert.equal(cache.cached(token), undefined);
    await cache.find(token);
    assert.equal(queries, 2);
  });
});

test('a replaced token is refused from the millisecond of its end, cached or not', async () => {
  let now = AT;
  const clock = { now: () => now };
  const { id } = botAt(1);
  const token = await database.db.transaction((tx) => issueToken(tx, { botId: id, scopes: [], at: AT }));
  await database.db.transaction((tx) => rotateToken(tx, { botId: id, graceSeconds: 10, at: AT }));
  const end = addSeconds(AT, 10);
  const other = createTokenCache(counted, clock);
  now = new Date(end.getTime() - 1);
  assert.deepEqual((await other.find(token))?.validUntil, end);
  assert.equal(other.cached(token)?.bot.id, id);
  assert.equal(queries, 1, 'it is cached until its last millisecond');
  now = end;
  assert.equal(other.cached(token), undefined);
  assert.equal(await other.find(token), undefined);
  assert.equal(await createTokenCache(counted, clock).find(token), undefined);
});

test('a failed query rejects and caches nothing', async () => {
  const { token, id } = botAt(0);
  const release = Promise.withResolvers<void>();
  delay = release.promise;
  const finding = assert.rejects(cache.find(token), /gone/);
  release.promise.catch(() => undefined);
  release.reject(new Error('gone'));
  await finding;
  delay = undefined;
  assert.equal((await cache.find(token))?.bot.id, id);
});

test('generated tokens begin with at_, look like tokens and are unique', () => {
  const tokens = Array.from({ length: 1000 }, generateToken);
  assert.equal(new Set(tokens).size, 1000);
  for (const token of tokens) assert.ok(/^at_[\w-]{43}$/.test(token) && looksLikeToken(token), token);
});
