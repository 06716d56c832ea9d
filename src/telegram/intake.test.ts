import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import fastify from 'fastify';
import { Bot } from 'grammy';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { ok, refuse, type ScriptedBotApi, startScriptedBotApi } from '../../test/support/scripted-bot-api.ts';
import { systemClock } from '../core/clock.ts';
import { createSecrets } from '../core/secrets.ts';
import { createWebhookIntake } from './intake.ts';
import { createPollingClaim } from './updates.ts';

const ME = { id: 1, is_bot: true, first_name: 'Service', username: 'service_bot' };
const HOOKED =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const OTHER = ok({ url: 'https://other.example/secret-path', has_custom_certificate: false, pending_update_count: 0 });

const NO_CHECKERS = {
  bots: { active: () => [], onChange: () => () => undefined, refusedToken: () => undefined },
  open: () => assert.fail('there are no checker bots'),
  recordConflict: async () => undefined,
};

let telegram: ScriptedBotApi;
let database: TestDatabase;
let bot: Bot;
let lines: { level: string; details: object; message: string }[];
const log = {
  warn: (details: object, message: string) => void lines.push({ level: 'warn', details, message }),
  error: (details: object, message: string) => void lines.push({ level: 'error', details, message }),
};
before(async () => {
  telegram = await startScriptedBotApi();
  database = await createTestDatabase();
});
after(async () => {
  await telegram.close();
  await database.drop();
});
beforeEach(() => {
  lines = [];
  bot = new Bot('1:service', { client: { apiRoot: telegram.root } });
});

const methods = (): string[] => telegram.calls.map(({ method }) => method);

describe('the right to poll', () => {
  const failure = { kind: 'refused', errorCode: 409, description: HOOKED } as const;
  const { signal } = new AbortController();

  test('a webhook of another program is logged and removed, at most once a minute', async () => {
    let now = 0;
    const claim = createPollingClaim(bot, log, () => now);
    telegram.answer(ok(true), ok(ME), OTHER, ok(true));
    await claim.ensure(signal);
    await claim.ensure(signal);
    assert.deepEqual(methods(), ['deleteWebhook', 'getMe']);
    claim.failed(failure);
    await claim.ensure(signal);
    assert.deepEqual(methods().slice(2), ['getWebhookInfo', 'deleteWebhook']);
    assert.deepEqual(lines, [
      {
        level: 'error',
        details: { host: 'other.example' },
        message: 'another program set a webhook with our bot token; removing it',
      },
    ]);

    telegram.answer(OTHER, ok(true));
    claim.failed(failure);
    now = 59_000;
    await claim.ensure(signal);
    assert.deepEqual(methods(), []);
    now = 60_000;
    await claim.ensure(signal);
    assert.deepEqual(methods(), ['getWebhookInfo', 'deleteWebhook']);
  });

  test('no webhook is removed after an outage, a flood wait or a poll of another program', async () => {
    const claim = createPollingClaim(bot, log);
    telegram.answer(ok(true), ok(ME));
    await claim.ensure(signal);
    claim.failed({ kind: 'unreachable' });
    claim.failed({ kind: 'flood', retryAfterSeconds: 1 });
    claim.failed({ ...failure, description: 'Conflict: terminated by other getUpdates request' });
    await claim.ensure(signal);
    assert.deepEqual(methods(), ['deleteWebhook', 'getMe']);
  });
});

describe('updates by webhook', () => {
  let stop: () => Promise<void> = async () => undefined;
  afterEach(() => stop());

  test('a webhook that another program replaced is set again, and the replacement is logged once', async () => {
    const publicUrl = 'https://service.example:443';
    const secrets = createSecrets('x'.repeat(32));
    const intake = createWebhookIntake({
      db: database.db,
      clock: systemClock,
      bot: () => bot,
      checkers: NO_CHECKERS,
      secrets,
      publicUrl,
      log,
      checkEveryMs: 10,
    });
    stop = () => intake.stop();
    const ours = ok({ url: 'https://service.example/telegram/updates', pending_update_count: 0 });
    telegram.answer(ok(true), ok(ME), ours, OTHER, ok(true), ours);
    await intake.start();
    await eventually('the webhook is looked at again', () => telegram.calls.length > 8);
    assert.deepEqual(methods().slice(0, 6), [
      ...['setWebhook', 'getMe', 'getWebhookInfo', 'getWebhookInfo', 'setWebhook', 'getWebhookInfo'],
    ]);
    assert.deepEqual(
      lines.map(({ level, details }) => [level, details]),
      [['error', { host: 'other.example' }]],
    );
  });

  test('an outage is logged once at its start and once at its end', async () => {
    const secrets = createSecrets('x'.repeat(32));
    const intake = createWebhookIntake({
      db: database.db,
      clock: systemClock,
      bot: () => bot,
      checkers: NO_CHECKERS,
      secrets,
      publicUrl: 'https://service.example',
      log,
      checkEveryMs: 10,
      retryMs: 10,
    });
    stop = () => intake.stop();
    telegram.answer(refuse(502, 'Bad Gateway'));
    await intake.start();
    await eventually('it is tried again', () => telegram.calls.length > 5);
    telegram.answer(ok(true), ok(ME), ok({ url: 'https://service.example/telegram/updates' }));
    await eventually('the end is logged', () => lines.length === 2);
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['webhook not set; Telegram does not know where to send updates', 'Telegram answers again'],
    );
  });

  test('a checker bot has its own webhook and secret, also when it is added later', async () => {
    const secrets = createSecrets('x'.repeat(32));
    const checker = { botId: 50, username: 'checker_bot', token: '50:checker' };
    let active: (typeof checker)[] = [];
    let change: () => void = () => undefined;
    const handled: number[] = [];
    const checkerBot = new Bot(checker.token, {
      client: { apiRoot: telegram.root },
      botInfo: { ...ME, id: 50 } as never,
    });
    checkerBot.use(({ update }) => void handled.push(update.update_id));
    const intake = createWebhookIntake({
      db: database.db,
      clock: systemClock,
      bot: () => bot,
      checkers: {
        ...NO_CHECKERS,
        bots: {
          ...NO_CHECKERS.bots,
          active: () => active,
          onChange: (listener) => {
            change = listener;
            return () => undefined;
          },
        },
        open: () => checkerBot,
      },
      secrets,
      publicUrl: 'https://service.example',
      log,
    });
    stop = () => intake.stop();
    telegram.answer(ok({ ...ME, url: '', pending_update_count: 0 }));
    await intake.start();
    active = [checker];
    change();
    const setByChecker = () =>
      telegram.calls.find(({ token, method }) => token === checker.token && method === 'setWebhook')?.params as
        | { url: string; secret_token: string; allowed_updates: string[] }
        | undefined;
    await eventually('its webhook is set', () => setByChecker() !== undefined);
    assert.equal(setByChecker()?.url, 'https://service.example/telegram/updates/50');
    assert.deepEqual(setByChecker()?.allowed_updates, ['message', 'chat_member', 'my_chat_member']);

    const app = fastify();
    for (const route of intake.routes) await app.register(route);
    const own = telegram.calls.find(({ token, method }) => token === '1:service' && method === 'setWebhook');
    const secretOfOwn = (own?.params as { secret_token: string } | undefined)?.secret_token ?? '';
    const post = async (path: string, secret: string, id: number): Promise<number> => {
      const headers = { 'x-telegram-bot-api-secret-token': secret };
      const answer = await app.inject({ method: 'POST', url: path, headers, payload: { update_id: id } });
      return answer.statusCode;
    };
    assert.equal(await post('/telegram/updates/50', setByChecker()?.secret_token ?? '', 1), 200);
    assert.notEqual(await post('/telegram/updates/50', secretOfOwn, 2), 200, 'the secret of another bot');
    assert.notEqual(await post('/telegram/updates/51', '', 3), 200, 'an unknown bot');
    assert.deepEqual(handled, [1]);
    await app.close();
  });
});
