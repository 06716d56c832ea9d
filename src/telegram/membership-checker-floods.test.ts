import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  ok,
  refuse,
  type Scripted,
  type ScriptedBotApi,
  startScriptedBotApi,
} from '../../test/support/scripted-bot-api.ts';
import { systemClock } from '../core/clock.ts';
import { createSecrets } from '../core/secrets.ts';
import { BOT_TOKEN_PURPOSE, type Resource } from '../modules/orders/index.ts';
import type { MembershipChecker } from '../modules/tasks/index.ts';
import { createBotApi } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import { createFloodWaits, type FloodWaits } from './flood-waits.ts';
import { createMembershipChecker } from './membership-checker.ts';

const USER = 777;
/** The publisher's bot that requests the check. */
const BOT = 3;
const secrets = createSecrets('a secret key that is used in this test only');
const channel: Resource = { id: 1, type: 'channel', chatId: -1_001_234, botTokenEncrypted: null };
const bot: Resource = {
  id: 2,
  type: 'bot',
  chatId: 42,
  botTokenEncrypted: secrets.encrypt(BOT_TOKEN_PURPOSE, '42:advertiser'),
};

let api: ScriptedBotApi;
before(async () => {
  api = await startScriptedBotApi();
});
after(() => api.close());

const freely: CheckBudget = { tryTake: () => true, take: async () => undefined };
const probeWith = (
  parts: { budget?: CheckBudget; turns?: CheckBudget; floods?: FloodWaits } = {},
): MembershipChecker => {
  const botApi = createBotApi({ apiRoot: () => api.root, token: '1:service' });
  return createMembershipChecker({
    api: botApi,
    bots: { apiOf: () => botApi.service, idOf: (checkerId) => checkerId ?? 1, refusedToken: () => undefined },
    secrets,
    budgetOf: (botId) => (botId === 1 ? (parts.budget ?? freely) : freely),
    turnsOf: () => parts.turns ?? freely,
    floods: parts.floods ?? createFloodWaits(systemClock),
  });
};

/** Far longer than a check takes, so that only the tests of the time limit reach their limit. */
const PATIENT_MS = 20_000;

async function verdictOf(resource: Resource, script: readonly Scripted[], timeoutMs = PATIENT_MS) {
  api.answer(...script);
  const verdict = await probeWith().check(resource, USER, timeoutMs);
  return [verdict, api.calls.length] as const;
}

const member = (status: string) => ok({ status, user: { id: USER } });

describe('a reply 429', () => {
  const flood = (seconds: number) => refuse(429, 'Too Many Requests: retry after', { retry_after: seconds });

  test('is followed by another call when the wait fits into the time limit', async () => {
    const begin = performance.now();
    assert.deepEqual(await verdictOf(channel, [flood(1), member('member')]), ['member', 2]);
    assert.ok(performance.now() - begin >= 990);
    assert.deepEqual(await verdictOf(bot, [flood(1), ok(true)]), ['member', 2]);
  });

  test('ends the check at once when the wait does not fit', async () => {
    assert.deepEqual(await verdictOf(channel, [flood(60), member('member')], 30_000), ['unavailable', 1]);
  });

  test('ends the check after three calls', async () => {
    assert.deepEqual(await verdictOf(channel, [flood(0)]), ['unavailable', 3]);
    assert.deepEqual(await verdictOf(channel, [refuse(429, 'Too Many Requests')]), ['unavailable', 3]);
  });
});

describe('a flood wait that another check received', () => {
  const other: Resource = { ...channel, id: 3, chatId: -1_005_678 };
  const told = (seconds: number): FloodWaits => {
    const floods = createFloodWaits(systemClock);
    floods.refused({ caller: 'service getChatMember', chatId: channel.chatId }, seconds);
    return floods;
  };
  const untouched: CheckBudget = { tryTake: () => assert.fail('budget was taken'), take: () => assert.fail('a turn') };

  test('delays the first call when it fits into the time limit, and uses no attempt', async () => {
    api.answer(refuse(500, 'x'), refuse(500, 'x'), member('member'));
    const begin = performance.now();
    assert.equal(await probeWith({ floods: told(1) }).check(channel, USER, PATIENT_MS), 'member');
    assert.ok(performance.now() - begin >= 990);
    assert.equal(api.calls.length, 3);
  });

  test('ends the check without a call, a turn or a part of the budget when it does not fit', async () => {
    api.answer(member('left'));
    const probe = probeWith({ floods: told(60), budget: untouched, turns: untouched });
    assert.equal(await probe.check(channel, USER, 4_000), 'unavailable');
    assert.equal(await probe.checkInTurn(channel, USER, 5_000), 'unavailable');
    assert.equal(await probe.checkIfAffordable(channel, USER, 5_000, BOT), 'unavailable');
    assert.equal(await probe.checkKnownMember(channel, USER, 4_000, BOT), 'member', 'the update is believed');
    assert.equal(api.calls.length, 0);
  });

  test('costs a background check a second turn, so that those who waited do not all start at once', async () => {
    let turns = 0;
    const counted: CheckBudget = { ...freely, take: async () => void turns++ };
    api.answer(member('member'));
    assert.equal(await probeWith({ floods: told(1), turns: counted }).checkInTurn(channel, USER, PATIENT_MS), 'member');
    assert.equal(turns, 2);
    assert.equal(await probeWith({ turns: counted }).checkInTurn(channel, USER, PATIENT_MS), 'member');
    assert.equal(turns, 3);
  });

  test('ends the check of a candidate at once, even when it is short', async () => {
    api.answer(member('member'));
    const probe = probeWith({ floods: told(1), budget: untouched });
    assert.equal(await probe.checkIfAffordable(channel, USER, PATIENT_MS, BOT), 'unavailable');
    assert.equal(api.calls.length, 0);
  });

  test('does not delay checks of another chat or by another bot', async () => {
    const probe = probeWith({ floods: told(60) });
    api.answer(member('member'));
    assert.equal(await probe.check(other, USER, PATIENT_MS), 'member');
    api.answer(ok(true));
    assert.equal(await probe.check(bot, channel.chatId, PATIENT_MS), 'member');
  });

  test('of an advertiser’s bot applies to one user only', async () => {
    const probe = probeWith();
    api.answer(refuse(429, 'Too Many Requests', { retry_after: 60 }), ok(true));
    assert.equal(await probe.check(bot, USER, 4_000), 'unavailable');
    assert.equal(await probe.check(bot, USER + 1, 4_000), 'member');
    assert.equal(await probe.check(bot, USER, 4_000), 'unavailable');
    assert.equal(api.calls.length, 2);
  });

  test('applies to the whole bot after refusals in a row, but not with other replies in between', async () => {
    const flood = refuse(429, 'Too Many Requests', { retry_after: 60 });
    const ask = (probe: MembershipChecker, chatId: number) => probe.check({ ...channel, chatId }, USER, 4_000);
    const inARow = probeWith();
    api.answer(flood, flood, flood, flood, flood, member('member'));
    for (let chatId = 1; chatId <= 5; chatId++) assert.equal(await ask(inARow, chatId), 'unavailable');
    assert.equal(await ask(inARow, 6), 'unavailable');
    assert.equal(api.calls.length, 5);

    const mixed = probeWith();
    // A 403 is a reply too, so it interrupts the row of flood waits.
    api.answer(flood, flood, flood, member('left'), flood, flood, flood, refuse(403, 'x'), flood, member('member'));
    for (let chatId = 1; chatId <= 9; chatId++) await ask(mixed, chatId);
    assert.equal(await ask(mixed, 10), 'member');
    assert.equal(api.calls.length, 10);
  });
});
