import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/index.ts';
import { openAccount } from '../../src/modules/accounts/index.ts';
import { issueToken, registerBot } from '../../src/modules/bots/index.ts';
import { buyOrder, channel, openRichAccount } from '../support/advertiser.ts';
import { assertBooks, query, taskStates } from '../support/books.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

const SECRET_KEY = 'live-mode-test-live-mode-test-live-mode-test';

/** Stands in for Telegram: the emulator of another sandbox. */
let telegram: ServiceProcess;
let telegramDatabase: TestDatabase;
let database: { url: string; drop(): Promise<void> };
let db: OpenDatabase;
let bot: { id: number; token: string };
let live: ServiceProcess;
let publisherToken: string;

before(async () => {
  telegramDatabase = await createTestDatabase();
  database = await createEmptyDatabase();
  telegram = await startProcess({ DATABASE_URL: telegramDatabase.url });
  const made = await telegram.sandbox.control('POST', '/chats', { type: 'bot', title: 'Live service' });
  bot = { id: made.chat_id, token: made.token };
  live = await startLive({});
  db = openDatabase({ url: database.url, onError: () => undefined });
  publisherToken = await db.transaction(async (tx) => {
    const at = systemClock.now();
    const account = await openAccount(tx, { telegramUserId: freshUser(), name: 'A publisher', at });
    const registered = await registerBot(tx, { accountId: account.id, username: 'live_publisher_bot', at });
    assert.ok(registered);
    return issueToken(tx, { botId: registered.id, scopes: [], at });
  });
});
after(async () => {
  await killAll();
  await db.close();
  await database.drop();
  await telegramDatabase.drop();
});

function startLive(settings: Settings): Promise<ServiceProcess> {
  return startProcess({
    DATABASE_URL: database.url,
    SECRET_KEY,
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_API_ROOT: `${telegram.url}/sandbox/telegram`,
    LOG_LEVEL: 'trace',
    ...settings,
  });
}

/** Creates an order for a channel of the emulated Telegram in which the live service's bot is an administrator. */
async function advertise(): Promise<{ orderId: number; chatId: number }> {
  const { chat_id: chatId, link } = await telegram.sandbox.control('POST', '/chats', {
    type: 'channel',
    title: 'News',
  });
  await telegram.sandbox.control('PUT', `/chats/${chatId}/members/${bot.id}?status=administrator`);
  const accountId = await openRichAccount(db);
  const secrets = createSecrets(SECRET_KEY);
  return { orderId: await buyOrder(db, { accountId, resource: channel(chatId), link, secrets }), chatId };
}

/** Returns a user who is shown the order: the first new user after the service has loaded it. */
async function userWhoSees(orderId: number): Promise<number> {
  let user = 0;
  const isShown = async () => {
    user = freshUser();
    const tasks = await live.sandbox.getSponsors(publisherToken, user, { max_sponsors: 50 });
    return tasks.some((task) => task.ads_id === orderId);
  };
  await eventually('the order is shown', isShown);
  return user;
}

const statesOf = (orderId: number) => taskStates(database.url, orderId);

test('live mode has no sandbox endpoints and prints no sandbox greeting', async () => {
  const calls = [
    ['GET', '/sandbox'],
    ['GET', '/sandbox/state'],
    ['GET', '/sandbox/ledger'],
    ['POST', '/sandbox/reset'],
    ['POST', '/sandbox/accounts'],
    ['POST', '/sandbox/clock'],
    ['GET', '/sandbox/inbox'],
    ['GET', `/sandbox/telegram/bot${bot.token}/getMe`],
  ] as const;
  for (const [method, path] of calls) {
    const { status, body } = await live.sandbox.call(method, path, method === 'POST' ? {} : undefined);
    assert.deepEqual([status, body.detail], [404, 'Bot not found'], path);
  }
  assert.equal(live.stdout(), '');
  const schemas = await query(database.url, "SELECT 1 FROM pg_namespace WHERE nspname = 'sandbox'");
  assert.deepEqual(schemas, []);
});

test('in live mode a confirm checks membership with the Bot API, and polling reports leaves', async () => {
  const { orderId, chatId } = await advertise();
  const user = await userWhoSees(orderId);
  assert.equal((await live.sandbox.confirm(publisherToken, user, orderId)).code, 'not_subscribed');
  await telegram.sandbox.join(chatId, user);
  assert.equal((await live.sandbox.confirm(publisherToken, user, orderId)).credited, 7);

  await telegram.sandbox.leave(chatId, user);
  await eventually('the leaving is reversed', async () => (await statesOf(orderId)).reversed === 1);
  await assertBooks(database.url);
});

test('a webhook that another program sets during polling is removed, and updates arrive again', async () => {
  const { orderId, chatId } = await advertise();
  const user = await userWhoSees(orderId);
  await telegram.sandbox.join(chatId, user);
  assert.equal((await live.sandbox.confirm(publisherToken, user, orderId)).credited, 7);

  const hook = encodeURIComponent('https://other.example/hook');
  const set = await fetch(`${telegram.url}/sandbox/telegram/bot${bot.token}/setWebhook?url=${hook}`);
  assert.equal(set.status, 200);
  await telegram.sandbox.leave(chatId, user);
  await eventually('the leaving is reversed', async () => (await statesOf(orderId)).reversed === 1);
  const told = live
    .stderr()
    .split('\n')
    .filter((line) => line.includes('another program set a webhook'));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /"level":50.*"host":"other\.example"/);
});

/** Returns the webhook that the service registered with Telegram. It registers after it starts listening. */
async function webhookKnownToTelegram(): Promise<{ url: string; secret: string }> {
  let known: { url: string; secret: string } | undefined;
  const isSet = async () => {
    [known] = await query<{ url: string; secret: string }>(
      telegramDatabase.url,
      `SELECT webhook_url AS url, webhook_secret AS secret FROM sandbox.tg_bots
       WHERE bot_id = $1 AND webhook_url IS NOT NULL`,
      [bot.id],
    );
    return known !== undefined;
  };
  await eventually('the webhook is set', isSet);
  assert.ok(known);
  return known;
}

test('with a webhook, only requests with the secret are accepted', async () => {
  const { orderId, chatId } = await advertise();
  const user = await userWhoSees(orderId);
  await telegram.sandbox.join(chatId, user);
  assert.equal((await live.sandbox.confirm(publisherToken, user, orderId)).credited, 7);
  await live.end('SIGTERM');

  await telegram.sandbox.leave(chatId, user, true);
  // No server listens at this URL. The test sends the updates itself, with the registered secret.
  const hooked = await startLive({ TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://127.0.0.1:8443' });
  const known = await webhookKnownToTelegram();
  assert.equal(known.url, 'https://127.0.0.1:8443/telegram/updates');
  const person = { id: user, is_bot: false, first_name: 'Leaver' };
  const update = {
    update_id: 1,
    chat_member: {
      chat: { id: chatId, type: 'channel', title: 'News' },
      from: person,
      date: Math.floor(systemClock.now().getTime() / 1000),
      old_chat_member: { user: person, status: 'member' },
      new_chat_member: { user: person, status: 'left' },
    },
  };
  const post = (headers: Record<string, string>) => hooked.sandbox.call('POST', '/telegram/updates', update, headers);

  const header = 'x-telegram-bot-api-secret-token';
  assert.equal((await post({})).status, 401);
  assert.equal((await post({ [header]: 'wrong' })).status, 401);
  assert.equal((await post({ [header]: `${known.secret}x` })).status, 401);
  assert.equal((await statesOf(orderId)).held, 1);
  assert.equal((await post({ [header]: known.secret })).status, 200);
  assert.equal((await statesOf(orderId)).reversed, 1);
  assert.equal((await post({ [header]: known.secret })).status, 200, 'a repeated delivery is harmless');
  await assertBooks(database.url);
  await hooked.end('SIGTERM');
});

test('a live service that changes from a webhook to polling receives leaves again', async () => {
  live = await startLive({});
  const { orderId, chatId } = await advertise();
  const user = await userWhoSees(orderId);
  await telegram.sandbox.join(chatId, user);
  assert.equal((await live.sandbox.confirm(publisherToken, user, orderId)).credited, 7);
  await live.end('SIGTERM');
  const hooked = await startLive({ TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://127.0.0.1:8443' });
  await webhookKnownToTelegram();
  await hooked.end('SIGTERM');

  live = await startLive({});
  await telegram.sandbox.leave(chatId, user);
  await eventually('the leaving is reversed', async () => (await statesOf(orderId)).reversed === 1);
});

test('while Telegram is unreachable a live service starts, responds, and logs no secret', async () => {
  const { orderId } = await advertise();
  const user = await userWhoSees(orderId);
  await live.end('SIGTERM');
  await telegram.end('SIGTERM');

  live = await startLive({});
  const body = await live.sandbox.confirmOnce(publisherToken, user, orderId);
  assert.deepEqual([body.status, body.code], ['warning', 'check_unavailable']);
  const isTriedAgain = async (): Promise<boolean> => {
    const { body: text } = await live.sandbox.call('GET', '/metrics');
    const [, count] = /telegram_call_seconds_count\{[^}]*deleteWebhook[^}]*\} (\d+)/.exec(text) ?? [];
    return Number(count) > 5;
  };
  await eventually('it tries to fetch updates again and again', isTriedAgain);
  const outageLines = live
    .stderr()
    .split('\n')
    .filter((line) => line.includes('polling for updates failed'));
  assert.equal(outageLines.length, 1, 'one line a minute');
  const end = await live.end('SIGTERM');
  assert.equal(end.code, 0, live.stderr());
  const password = new URL(database.url).password;
  for (const secret of [bot.token, SECRET_KEY, publisherToken, password]) {
    assert.ok(!live.stderr().includes(secret), `a secret was logged: ${secret.slice(0, 5)}…`);
  }
});
