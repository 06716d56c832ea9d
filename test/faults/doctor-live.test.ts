import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openDatabase } from '../../src/db/index.ts';
import { saveChecker } from '../../src/modules/checkers/index.ts';
import { buyOrder, channel, openRichAccount } from '../support/advertiser.ts';
import { query } from '../support/books.ts';
import { createSpareBot, revokeToken, type SpareBot } from '../support/checkers.ts';
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

/** Creates an active order for a new channel, in which a bot has this status. */
async function advertise(status: 'administrator' | 'member', botId = bot.id): Promise<number> {
  const { chat_id: chatId, link } = await telegram.sandbox.control('POST', '/chats', {
    type: 'channel',
    title: 'News',
  });
  await telegram.sandbox.control('PUT', `/chats/${chatId}/members/${botId}?status=${status}`);
  const db = openDatabase({ url: database.url, onError: () => undefined });
  try {
    const accountId = await openRichAccount(db);
    const orderId = await buyOrder(db, {
      accountId,
      resource: channel(chatId),
      link,
      secrets: createSecrets(SECRET_KEY),
    });
    const checkerId = botId === bot.id ? null : botId;
    await db.query('UPDATE resources SET checker_id = $2 WHERE chat_id = $1', [chatId, checkerId]);
    return orderId;
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

const OWNER_ID = 990_778;

/** Stores a new bot of the emulated Telegram as a checker bot of the live service. */
async function addChecker(secretKey = SECRET_KEY): Promise<SpareBot> {
  const spare = await createSpareBot(telegram.sandbox, OWNER_ID);
  const db = openDatabase({ url: database.url, onError: () => undefined });
  const secrets = createSecrets(secretKey);
  try {
    await db.transaction((tx) => saveChecker(tx, { secrets, at: systemClock.now() }, spare));
  } finally {
    await db.close();
  }
  return spare;
}

test('each checker bot has one line: its token, who receives its updates, and its rights', async () => {
  await telegram.sandbox.control('POST', '/users', { user_id: OWNER_ID, first_name: 'Op' });
  await live.end('SIGTERM'); // it would stop a bot with a refused token, and remove the webhook
  const [works, demoted, refused, hooked, polled, sealed] = [
    await addChecker(),
    await addChecker(),
    await addChecker(),
    await addChecker(),
    await addChecker(),
    await addChecker('another-key-another-key-another-key-another'),
  ];
  await advertise('administrator', works.botId);
  const orderId = await advertise('member', demoted.botId);
  await revokeToken(telegram.sandbox, OWNER_ID, refused);
  await fetch(
    `${telegram.url}/sandbox/telegram/bot${hooked.token}/setWebhook?url=https://other.example/secret-of-another-program`,
  );
  await query(database.url, 'UPDATE checkers SET conflict_at = now() WHERE bot_id = $1', [polled.botId]);

  const { code, stdout } = await runCommand(['doctor'], settings());
  assert.equal(code, 1, 'a refused token is a failure');
  assert.ok(!stdout.includes('secret-of-another-program'), 'only the host of a webhook is printed');
  for (const { token } of [works, demoted, refused, hooked, polled, sealed]) assert.ok(!stdout.includes(token));
  const lines = stdout.split('\n').filter((line) => line.includes('checker bot'));
  const lineOf = ({ username }: SpareBot): string => {
    const own = lines.filter((line) => line.includes(`@${username}`));
    assert.equal(own.length, 1, stdout);
    return own.join().replaceAll(/ +/g, ' ');
  };
  assert.match(lineOf(works), /^ok checker bot 1 of 1 channels .* @\w+ is an administrator in all$/);
  assert.match(lineOf(demoted), new RegExp(`^warn .* is no administrator in 1 \\(order ${orderId}\\)`));
  assert.match(lineOf(refused), /^fail .*Telegram refuses the token of .* \(Unauthorized\): add it with a new one/);
  assert.match(lineOf(hooked), /^warn .*another program uses .*: its updates go to other\.example\. Stop that program/);
  assert.match(lineOf(polled), /^warn .*another program fetches the updates of .*\. Stop that program/);
  assert.match(lineOf(sealed), /^fail .*cannot be decrypted: set SECRET_KEY to the one from then/);
});
