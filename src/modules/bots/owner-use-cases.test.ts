import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { openAccount } from '../accounts/index.ts';
import {
  type Adjustment,
  adjustBot,
  claimBot,
  MAX_EXCLUDED_ORDERS,
  requireOwnBot,
  switchOwnBot,
} from './manage-bots.ts';
import { listValidTokens, renewToken } from './manage-tokens.ts';

const AT = new Date('2026-05-10T12:00:00Z');

let database: TestDatabase;
let [owner, stranger] = [0, 0];
before(async () => {
  database = await createTestDatabase();
  const open = (telegramUserId: number) =>
    database.db.transaction((tx) => openAccount(tx, { telegramUserId, name: 'Someone', at: AT }));
  owner = (await open(1)).id;
  stranger = (await open(2)).id;
});
after(() => database.drop());

let lastBot = 0;
async function newBot(): Promise<{ accountId: number; botId: number }> {
  lastBot += 1;
  const outcome = await claimBot(database.db, { accountId: owner, username: `bot_${lastBot}`, at: AT });
  assert.ok(outcome.kind === 'registered');
  return { accountId: owner, botId: outcome.bot.id };
}

const refusedAs = (code: ErrorCode) => (error: unknown) => error instanceof ApiError && error.code === code;

describe('claiming a bot', () => {
  it('has one winner when accounts claim the name in parallel in any case', async () => {
    const names = ['Race_Bot', 'race_bot', 'RACE_BOT', 'race_BOT'];
    const outcomes = await Promise.all(
      names.map((username, i) =>
        claimBot(database.db, { accountId: i % 2 === 0 ? owner : stranger, username, at: AT }),
      ),
    );
    const kinds = outcomes.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['already_yours', 'registered', 'taken', 'taken']);
  });
});

describe('a bot of another account', () => {
  it('is not found: it cannot be read, changed or given a token', async () => {
    const bot = { ...(await newBot()), accountId: stranger };
    const adjustment = { kind: 'max_sponsors', value: 9 } as const;
    const attempts = [
      () => requireOwnBot(database.db, bot),
      () => adjustBot(database.db, { ...bot, adjustment }),
      () => switchOwnBot(database.db, { ...bot, isActive: false }),
      () => listValidTokens(database.db, { ...bot, at: AT }),
      () => renewToken(database.db, { ...bot, graceSeconds: 0, key: 'k', at: AT }),
    ];
    for (const attempt of attempts) await assert.rejects(attempt, refusedAs('bot_not_found'));
    const kept = await requireOwnBot(database.db, { ...bot, accountId: owner });
    assert.deepEqual([kept.maxSponsors, kept.isActive], [5, true]);
  });
});

describe('adjusting a bot', () => {
  it('refuses values out of range and leaves the bot unchanged', async () => {
    const bot = await newBot();
    const wrong: Adjustment[] = [
      ...[0, 51, 1.5, Number.NaN, -1].map((value) => ({ kind: 'max_sponsors', value }) as const),
      ...[299, 259_201, 300.5].map((value) => ({ kind: 'round_seconds', value }) as const),
    ];
    for (const adjustment of wrong) {
      await assert.rejects(adjustBot(database.db, { ...bot, adjustment }), refusedAs('validation_failed'));
    }
    const kept = await requireOwnBot(database.db, bot);
    assert.deepEqual([kept.maxSponsors, kept.roundSeconds], [5, 86_400]);
  });

  it('never excludes every type of task, even when two requests exclude one each', async () => {
    const bot = await newBot();
    const without = (type: 'channel' | 'bot') =>
      adjustBot(database.db, { ...bot, adjustment: { kind: 'resource_type', type, isExcluded: true } });
    const outcomes = await Promise.allSettled([without('channel'), without('bot')]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await requireOwnBot(database.db, bot)).excludedResourceTypes.size, 1);
  });

  it('keeps all orders that are hidden in parallel, up to the limit, and hides each once', async () => {
    const bot = await newBot();
    const hide = (orderId: number, isExcluded = true) =>
      adjustBot(database.db, { ...bot, adjustment: { kind: 'order', orderId, isExcluded } });
    await Promise.all([1, 2, 3, 2].map((orderId) => hide(orderId)));
    assert.deepEqual(
      [...(await hide(2, false)).excludedOrderIds].sort((a, b) => a - b),
      [1, 3],
    );
    for (let orderId = 10; orderId < 10 + MAX_EXCLUDED_ORDERS - 2; orderId++) await hide(orderId);
    await assert.rejects(hide(9_999), refusedAs('validation_failed'));
    assert.equal((await hide(1)).excludedOrderIds.size, MAX_EXCLUDED_ORDERS);
  });
});

describe('a new token', () => {
  it('is issued once per key, even when requests race, and the first token can be given in advance', async () => {
    const bot = await newBot();
    const firstToken = `at_${'x'.repeat(43)}`;
    const renew = (key: string) => renewToken(database.db, { ...bot, graceSeconds: 0, key, at: AT, firstToken });
    const outcomes = await Promise.allSettled([renew('one'), renew('one'), renew('one')]);
    const issued = outcomes.flatMap((one) =>
      one.status === 'fulfilled' && one.value.kind === 'issued' ? one.value : [],
    );
    assert.deepEqual(
      issued.map(({ token, oldValidUntil }) => [token, oldValidUntil]),
      [[firstToken, undefined]],
    );
    assert.deepEqual(await renew('one'), { kind: 'issued_before' });
    const second = await renew('two');
    assert.ok(second.kind === 'issued' && second.token !== firstToken);
    assert.deepEqual(second.oldValidUntil, AT);
    assert.equal((await listValidTokens(database.db, { ...bot, at: AT })).length, 1);
  });
});
