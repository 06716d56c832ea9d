import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
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
import type { MembershipChecker, MembershipStatus } from '../modules/tasks/index.ts';
import { createBotApi } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import { createFloodWaits } from './flood-waits.ts';
import { createMembershipChecker } from './membership-checker.ts';

fc.configureGlobal({ seed: 1 });

const USER = 777;
/** The publisher's bot that requests the check. */
const BOT = 3;
const SERVICE_TOKEN = '1:service';
const secrets = createSecrets('a secret key that is used in this test only');
const sealedBy = (by: typeof secrets) => by.encrypt(BOT_TOKEN_PURPOSE, '42:advertiser');

const channel: Resource = { id: 1, type: 'channel', chatId: -1_001_234, botTokenEncrypted: null };
const bot: Resource = { id: 2, type: 'bot', chatId: 42, botTokenEncrypted: sealedBy(secrets) };

let api: ScriptedBotApi;
before(async () => {
  api = await startScriptedBotApi();
});
after(() => api.close());

const freely: CheckBudget = { tryTake: () => true, take: async () => undefined };
/** The Telegram ids of the service's own bots. */
const [SERVICE, CHECKER, GONE] = [1, 50, 51];
const CHECKER_TOKEN = '50:checker';
const probeWith = (
  parts: {
    budget?: CheckBudget;
    budgetOf?: (botId: number) => CheckBudget;
    turns?: CheckBudget;
    turnsOf?: (botId: number) => CheckBudget;
    root?: string;
    refusedToken?: (checkerId: number | null) => void;
  } = {},
): MembershipChecker => {
  const botApi = createBotApi({ apiRoot: () => parts.root ?? api.root, token: SERVICE_TOKEN });
  const checker = botApi.checker(CHECKER_TOKEN);
  return createMembershipChecker({
    api: botApi,
    bots: {
      apiOf: (checkerId) => (checkerId === null ? botApi.service : checkerId === CHECKER ? checker : undefined),
      idOf: (checkerId) => checkerId ?? SERVICE,
      refusedToken: parts.refusedToken ?? (() => undefined),
    },
    secrets,
    budgetOf: parts.budgetOf ?? ((botId) => (botId === SERVICE ? (parts.budget ?? freely) : freely)),
    turnsOf: parts.turnsOf ?? (() => parts.turns ?? freely),
    floods: createFloodWaits(systemClock),
  });
};

/** Far longer than a check takes, so that only the tests of the time limit reach their limit. */
const PATIENT_MS = 20_000;

async function verdictOf(resource: Resource, script: readonly Scripted[], timeoutMs = PATIENT_MS) {
  api.answer(...script);
  const verdict = await probeWith().check(resource, USER, timeoutMs);
  return [verdict, api.calls.length] as const;
}

const member = (status: string, more: object = {}) => ok({ status, user: { id: USER }, ...more });

describe('a channel of a checker bot', () => {
  const served: Resource = { ...channel, checkerId: CHECKER };

  test('is checked by that bot', async () => {
    assert.deepEqual(await verdictOf(served, [member('member')]), ['member', 1]);
    assert.equal(api.calls[0]?.token, CHECKER_TOKEN);
  });

  test('uses the budget of that bot', async () => {
    const asked: number[] = [];
    const budgetOf = (botId: number): CheckBudget => ({
      tryTake: () => {
        asked.push(botId);
        return false;
      },
      take: async () => void asked.push(-botId),
    });
    const probe = probeWith({ budgetOf, turnsOf: budgetOf });
    api.answer(member('member'));
    assert.equal(probe.checkIfAffordable(served, USER, PATIENT_MS, BOT), undefined);
    assert.equal(probe.checkIfAffordable(channel, USER, PATIENT_MS, BOT), undefined);
    await probe.checkInTurn(served, USER, PATIENT_MS);
    await probe.checkInTurn(bot, USER, PATIENT_MS);
    assert.deepEqual(asked, [CHECKER, SERVICE, -CHECKER, -SERVICE]);
  });

  test('is not checked while its bot is stopped, and no reward depends on that', async () => {
    assert.deepEqual(await verdictOf({ ...channel, checkerId: GONE }, [member('left')]), ['unavailable', 0]);
  });

  test('a refused token is reported, and the check is no proof of lost access', async () => {
    const refused: (number | null)[] = [];
    const probe = probeWith({ refusedToken: (checkerId) => void refused.push(checkerId) });
    api.answer(refuse(401, 'Unauthorized'));
    assert.equal(await probe.check(served, USER, PATIENT_MS), 'unavailable');
    assert.deepEqual(refused, [CHECKER]);
  });
});

describe('a channel', () => {
  test('is checked by the service bot', async () => {
    await verdictOf(channel, [member('member')]);
    assert.deepEqual(api.calls, [
      { token: SERVICE_TOKEN, method: 'getChatMember', params: { chat_id: channel.chatId, user_id: USER } },
    ]);
  });

  const statuses: readonly [string, object, MembershipStatus][] = [
    ['creator', {}, 'member'],
    ['administrator', {}, 'member'],
    ['member', {}, 'member'],
    ['restricted', { is_member: true }, 'member'],
    ['restricted', { is_member: false }, 'left'],
    ['left', {}, 'left'],
    ['kicked', {}, 'removed'],
  ];
  for (const [status, more, verdict] of statuses) {
    test(`${status} ${JSON.stringify(more)} means ${verdict}`, async () => {
      assert.deepEqual(await verdictOf(channel, [member(status, more)]), [verdict, 1]);
    });
  }

  const accessLost = [
    refuse(400, 'Bad Request: member list is inaccessible'),
    refuse(400, 'Bad Request: CHAT_ADMIN_REQUIRED'),
    refuse(400, 'Bad Request: CHANNEL_PRIVATE'),
    refuse(400, 'Bad Request: chat not found'),
    refuse(403, 'Forbidden: bot was kicked from the channel chat'),
    refuse(403, 'Forbidden: bot is not a member of the channel chat'),
    refuse(403, 'Forbidden: something new'),
  ];
  for (const answer of accessLost) {
    test(`${describeAnswer(answer)} means that the service bot has no access`, async () => {
      assert.deepEqual(await verdictOf(channel, [answer]), ['no_access', 1]);
    });
  }

  const userUnknown = [
    'PARTICIPANT_ID_INVALID',
    'member not found',
    'USER_ID_INVALID',
    'user not found',
    'invalid user_id specified',
  ];
  for (const text of userUnknown) {
    test(`400 ${text} means that the user is no member only after a second call`, async () => {
      const unknown = refuse(400, `Bad Request: ${text}`);
      assert.deepEqual(await verdictOf(channel, [unknown]), ['left', 2]);
      assert.deepEqual(await verdictOf(channel, [unknown, member('member')]), ['member', 2]);
      assert.deepEqual(await verdictOf(channel, [unknown, refuse(400, 'Bad Request: chat not found')]), [
        'no_access',
        2,
      ]);
    });
  }

  test('a user reported as blocked is no member', async () => {
    assert.deepEqual(await verdictOf(channel, [refuse(403, 'Forbidden: USER_IS_BLOCKED')]), ['left', 1]);
  });

  test('one unconfirmed “user unknown” is no result, so that no reward is reversed for it', async () => {
    const unknown = refuse(400, 'Bad Request: user not found');
    assert.deepEqual(await verdictOf(channel, [unknown, 'hang up']), ['unavailable', 3]);
    assert.deepEqual(await verdictOf(channel, ['hang up', 'hang up', unknown]), ['unavailable', 3]);
    assert.deepEqual(await verdictOf(channel, [unknown, refuse(429, 'Too Many Requests', { retry_after: 60 })]), [
      'unavailable',
      2,
    ]);
    assert.deepEqual(await verdictOf(channel, [unknown, 'hang up', unknown]), ['left', 3]);
  });

  test('a refused service token returns unavailable, not lost access', async () => {
    for (const answer of [refuse(401, 'Unauthorized'), refuse(404, 'Not Found')]) {
      assert.deepEqual(await verdictOf(channel, [answer]), ['unavailable', 1]);
    }
  });
});

describe('a bot', () => {
  test('is checked with its own token by a chat action to the user', async () => {
    assert.deepEqual(await verdictOf(bot, [ok(true)]), ['member', 1]);
    assert.deepEqual(api.calls, [
      { token: '42:advertiser', method: 'sendChatAction', params: { chat_id: USER, action: 'typing' } },
    ]);
  });

  const notStarted = [
    refuse(403, 'Forbidden: bot was blocked by the user'),
    refuse(400, 'Bad Request: USER_IS_BLOCKED'),
    refuse(403, 'Forbidden: user is deactivated'),
    refuse(403, "Forbidden: bot can't initiate conversation with a user"),
  ];
  for (const answer of notStarted) {
    test(`${describeAnswer(answer)} means that the user is not subscribed`, async () => {
      assert.deepEqual(await verdictOf(bot, [answer]), ['left', 1]);
    });
  }

  for (const text of [
    'chat not found',
    'PEER_ID_INVALID',
    'USER_ID_INVALID',
    'user not found',
    'invalid user_id specified',
  ]) {
    test(`400 ${text} means that the user is not subscribed only after a second call`, async () => {
      const unknown = refuse(400, `Bad Request: ${text}`);
      assert.deepEqual(await verdictOf(bot, [unknown]), ['left', 2]);
      assert.deepEqual(await verdictOf(bot, [unknown, ok(true)]), ['member', 2]);
    });
  }

  for (const answer of [refuse(401, 'Unauthorized'), refuse(404, 'Not Found')]) {
    test(`${describeAnswer(answer)} means that the advertiser’s token is no longer valid`, async () => {
      assert.deepEqual(await verdictOf(bot, [answer]), ['no_access', 1]);
    });
  }

  test('without a token, or with one that cannot be decrypted, is not called', async () => {
    const sealed = sealedBy(createSecrets('quite another secret key than the one above'));
    for (const botTokenEncrypted of [null, sealed, Buffer.from('damaged')]) {
      assert.deepEqual(await verdictOf({ ...bot, botTokenEncrypted }, [ok(true)]), ['unavailable', 0]);
    }
  });
});

describe('an unusable reply', () => {
  const useless: readonly [string, Scripted][] = [
    ['an error of the server', refuse(500, 'Internal Server Error')],
    ['a gateway that speaks HTML', { status: 502, raw: '<html>Bad Gateway</html>' }],
    ['nothing', { raw: '' }],
    ['half a JSON', { raw: '{"ok":tr' }],
    ['null', { raw: 'null' }],
    ['a list', { raw: '[]' }],
    ['no result', { body: { ok: true } }],
    ['an empty result', ok({})],
    ['a result of another kind', ok('member')],
    ['a status that this code does not know', member('teleported')],
    ['a refusal without a reason', { status: 400, body: { ok: false } }],
    ['a hang-up', 'hang up'],
  ];
  for (const [what, answer] of useless) {
    test(`${what} returns unavailable`, async () => {
      const [verdict, calls] = await verdictOf(channel, [answer]);
      assert.equal(verdict, 'unavailable');
      assert.ok(calls >= 1 && calls <= 3, `${calls} calls`);
    });
  }

  test('a temporary fault is retried, and the reply after it counts', async () => {
    assert.deepEqual(await verdictOf(channel, ['hang up', { status: 502, raw: 'x' }, member('left')]), ['left', 3]);
  });

  test('a server that never replies or never finishes ends the check at the time limit', async () => {
    for (const answer of ['hang', 'hang after the headers'] as const) {
      assert.deepEqual(await verdictOf(channel, [answer], 300), ['unavailable', 1], answer);
    }
  });

  test('an unreachable or invalid address returns unavailable', async () => {
    for (const root of ['http://127.0.0.1:1', 'nonsense']) {
      assert.equal(await probeWith({ root }).check(channel, USER, 1_000), 'unavailable', root);
    }
  });

  test('any reply leads to a status and never to an exception', async () => {
    const anything = fc.oneof(
      fc.record({ status: fc.integer({ min: 200, max: 599 }), body: fc.jsonValue() }),
      fc.record({ status: fc.constantFrom(200, 400, 403, 429, 500), raw: fc.string() }),
      fc.record({
        status: fc.constantFrom(400, 403, 429),
        body: fc.record({
          ok: fc.constantFrom(false, true),
          error_code: fc.oneof(fc.integer(), fc.jsonValue()),
          description: fc.jsonValue(),
          parameters: fc.jsonValue(),
          result: fc.jsonValue(),
        }),
      }),
    );
    const verdicts = ['member', 'left', 'removed', 'no_access', 'unavailable'];
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom(channel, bot), async (answer, resource) => {
        api.answer(answer as Scripted);
        assert.ok(verdicts.includes((await probeWith().checkIfAffordable(resource, USER, 2_000, BOT)) ?? 'none'));
      }),
      { numRuns: 150 },
    );
  });
});

describe('the budget of checks', () => {
  test('a check without budget makes no call', async () => {
    api.answer(member('member'));
    const probe = probeWith({ budget: { ...freely, tryTake: () => false } });
    assert.deepEqual([probe.checkIfAffordable(channel, USER, PATIENT_MS, BOT), api.calls.length], [undefined, 0]);
  });

  test('a check within the budget makes exactly one call for any reply', async () => {
    let taken = 0;
    const probe = probeWith({ budget: { ...freely, tryTake: () => ++taken > 0 } });
    for (const answer of [
      member('member'),
      refuse(400, 'Bad Request: user not found'),
      refuse(500, 'x'),
      'hang up',
    ] as const) {
      api.answer(answer);
      await probe.checkIfAffordable(channel, USER, PATIENT_MS, BOT);
      assert.equal(api.calls.length, 1);
    }
    assert.equal(taken, 4);
  });

  test('a check in turn makes no call before its turn', async () => {
    const turn = Promise.withResolvers<void>();
    api.answer(member('member'));
    const checking = probeWith({ turns: { ...freely, take: () => turn.promise } }).checkInTurn(
      channel,
      USER,
      PATIENT_MS,
    );
    // Later checks that do not wait for a turn finish before this check makes its call.
    for (let other = 1; other <= 3; other++) await probeWith().check(channel, other, PATIENT_MS);
    const asked = () => api.calls.filter(({ params }) => (params as { user_id: number }).user_id === USER).length;
    assert.equal(asked(), 0);
    turn.resolve();
    assert.deepEqual([await checking, asked()], ['member', 1]);
  });
});

function describeAnswer(answer: Scripted): string {
  const { error_code: code, description } = (answer as { body: { error_code: number; description: string } }).body;
  return `${code} “${description}”`;
}
