import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openDatabase } from '../../src/db/index.ts';
import { buyOrder, channel, openRichAccount } from '../support/advertiser.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, runCommand, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';

const SECRET_KEY = 'doctor-test-doctor-test-doctor-test-doctor';

/** Stands in for Telegram: the emulator of another sandbox. */
let telegram: ServiceProcess;
let telegramDatabase: TestDatabase;
let database: { url: string; drop(): Promise<void> };
let bot: { id: number; token: string };
let live: ServiceProcess;

before(async () => {
  telegramDatabase = await createTestDatabase();
  database = await createEmptyDatabase();
  telegram = await startProcess({ DATABASE_URL: telegramDatabase.url });
  const made = await telegram.sandbox.control('POST', '/chats', { type: 'bot', title: 'Live service' });
  bot = { id: made.chat_id, token: made.token };
  live = await startProcess(settings());
});
after(async () => {
  await killAll();
  await database.drop();
  await telegramDatabase.drop();
});

const settings = (): Settings => ({
  DATABASE_URL: database.url,
  SECRET_KEY,
  TELEGRAM_BOT_TOKEN: bot.token,
  TELEGRAM_API_ROOT: `${telegram.url}/sandbox/telegram`,
});

/**
 * Runs `doctor` and returns a function that selects lines by their beginning. Asserts that the exit code fits the
 * lines.
 */
async function examine(changed: Settings = {}): Promise<(beginning: string) => string> {
  const port = new URL(live.url).port;
  const { code, stdout, stderr } = await runCommand(['doctor'], { ...settings(), PORT: port, ...changed });
  assert.deepEqual([code, stderr], [/^fail /m.test(stdout) ? 1 : 0, ''], stdout);
  for (const secret of [bot.token, SECRET_KEY, new URL(database.url).password]) {
    assert.ok(!stdout.includes(secret), 'a secret was printed');
  }
  return (beginning) => {
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    return lines.filter((line) => line.startsWith(beginning)).join('\n') || `none in:\n${stdout}`;
  };
}

/** Creates an active order for a new channel, in which the bot has this status. */
async function advertise(status: 'administrator' | 'member'): Promise<number> {
  const { chat_id: chatId, link } = await telegram.sandbox.control('POST', '/chats', {
    type: 'channel',
    title: 'News',
  });
  await telegram.sandbox.control('PUT', `/chats/${chatId}/members/${bot.id}?status=${status}`);
  const db = openDatabase({ url: database.url, onError: () => undefined });
  try {
    const accountId = await openRichAccount(db);
    return await buyOrder(db, { accountId, resource: channel(chatId), link, secrets: createSecrets(SECRET_KEY) });
  } finally {
    await db.close();
  }
}

test('a correct live service has no failures: token, updates, clocks and rights', async () => {
  await advertise('administrator');
  const isPolling = async () => /^ok updates fetched by polling$/m.test((await examine())('ok updates'));
  await eventually('it polls', isPolling);
  const seen = await examine();
  assert.match(seen('fail'), /none in/);
  assert.match(seen('ok telegram'), /the bot is @\w+/);
  assert.match(seen('ok telegram clock'), /agrees/);
  assert.match(seen('ok channels'), /1 of 1 channels of active orders looked at, the bot is an administrator in all/);
  assert.match(seen('ok service'), /runs at/);
});

test('a channel in which the bot is not an administrator is a warning that names its order', async () => {
  const orderId = await advertise('member');
  assert.match((await examine())('warn channels'), new RegExp(`no administrator in 1 \\(order ${orderId}\\)`));
});

test('updates taken by another program and an unregistered webhook are warnings', async () => {
  const webhook = { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://127.0.0.1:8443' };
  const seen = await examine(webhook);
  assert.match(seen('warn updates'), /wait to be fetched; the service changes that/);
  assert.match(seen('fail public address'), /https:\/\/127\.0\.0\.1:8443 does not lead to the service/);
});

test('metrics that are public without a token are a warning', async () => {
  const publicUrl = live.url.replace('127.0.0.1', 'localhost');
  const open = await examine({ PUBLIC_URL: publicUrl });
  assert.match(open('warn public address'), /not https/);
  assert.match(open('warn metrics'), /set METRICS_TOKEN/);
});

test('live mode on the database of a sandbox fails', async () => {
  assert.match((await examine({ DATABASE_URL: telegramDatabase.url }))('fail schema'), /belongs to a sandbox/);
});

test('a token that Telegram rejects and a Telegram that does not respond are failures', async () => {
  const wrong = await examine({ TELEGRAM_BOT_TOKEN: '123456:wrong-wrong-wrong-wrong-wrong' });
  assert.match(wrong('fail telegram'), /refuses TELEGRAM_BOT_TOKEN \(Unauthorized\): copy it from @BotFather/);
  const gone = await examine({ TELEGRAM_API_ROOT: 'http://127.0.0.1:1' });
  assert.match(gone('fail telegram'), /does not answer/);
});

test('a clock that is off by an hour and updates without chat_member are failures', async () => {
  const hourAgo = new Date(systemClock.now().getTime() - 3_600_000).toUTCString();
  const results: Readonly<Record<string, object>> = {
    getMe: { id: bot.id, is_bot: true, first_name: 'Bot', username: 'late_bot' },
    getWebhookInfo: {
      url: '',
      has_custom_certificate: false,
      pending_update_count: 5_000,
      allowed_updates: ['message'],
    },
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const method = request.url?.split('/').at(-1) ?? '';
    response.writeHead(200, { 'content-type': 'application/json', date: hourAgo });
    response.end(JSON.stringify({ ok: true, result: results[method] ?? { status: 'left' } }));
  };
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  try {
    await eventually('it listens', () => server.listening);
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const seen = await examine({ TELEGRAM_API_ROOT: root });
    assert.match(seen('fail telegram clock'), /3\d{3}\.\d s ahead: synchronise it/);
    assert.match(seen('fail updates'), /does not send callback_query, chat_member/);
    assert.match(seen('warn updates'), /5000 wait at Telegram/);
    assert.match(seen('fail channels'), /no administrator in 2/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a live service without operators is warned, because payouts would wait for ever', async () => {
  assert.match((await examine())('warn operators'), /^warn operators OPERATOR_IDS is empty: .*wait for ever/);
  assert.match((await examine({ OPERATOR_IDS: '1' }))('warn operators'), /^none in/);
});
