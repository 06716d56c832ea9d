import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

/** Creates a publisher whose bot also exists in the emulated Telegram. */
async function botInTelegram(username: string) {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ username });
  const { token: botToken } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Gate', username });
  return { ...publisher, botToken };
}

const give = (token: string, botToken: string | null) =>
  service.sandbox.call('PUT', '/compat/telegram-token', { bot_token: botToken }, { auth: token });

const check = async (token: string, user: number, extra: object = {}) =>
  (await service.sandbox.call('POST', '/compat/flyer/check', { key: token, user_id: user, ...extra })).body;

/** Starts the bot as a person, because a bot can write only to people who started it. */
async function start(user: number, bot: string): Promise<void> {
  await service.sandbox.control('POST', `/persons/${user}/messages`, { bot, text: '/start' });
}

async function messagesTo(user: number, bot: string) {
  const { messages } = await service.sandbox.control('GET', `/persons/${user}/messages?bot=${bot}`);
  return messages;
}

test("Flyer's check without the bot's Telegram token lets the user in with a warning", async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  await sandbox.advertise();
  const answer = await check(token, freshUser());
  assert.equal(answer.skip, true);
  assert.match(answer.warning, /Telegram token/);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  const { body } = await sandbox.call('GET', '/compat/telegram-token', undefined, { auth: token });
  assert.equal(body.has_telegram_token, false);
  assert.equal(body.last_failure.reason, 'no_token');
});

test("Flyer's check sends the message through the publisher's bot, until the user has subscribed", async () => {
  const { sandbox } = service;
  const username = 'flyer_gate_bot';
  const { token, botToken } = await botInTelegram(username);
  assert.deepEqual((await give(token, botToken)).body, { has_telegram_token: true });
  const { chatId } = await sandbox.advertise({ title: 'News' });
  const user = freshUser();
  await start(user, username);
  assert.deepEqual(await check(token, user, { message: { text: 'Subscribe first', button_channel: 'Open' } }), {
    skip: false,
  });
  const text = JSON.stringify(await messagesTo(user, username));
  assert.match(text, /Subscribe first/);
  assert.match(text, /Open/);
  assert.match(text, /sponsorgate_check/);
  await sandbox.join(chatId, user);
  assert.deepEqual(await check(token, user), { skip: true });
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
});

test('the owner reads why the last message was not sent: a user without the bot, an outage', async () => {
  const { sandbox } = service;
  const username = 'failing_gate_bot';
  const { token, botToken } = await botInTelegram(username);
  const lastFailure = async () =>
    (await sandbox.call('GET', '/compat/telegram-token', undefined, { auth: token })).body.last_failure?.reason ?? null;
  await give(token, botToken);
  await sandbox.advertise();
  const user = freshUser();
  assert.match((await check(token, user)).warning, /has not started your bot/);
  assert.equal(await lastFailure(), 'user_refused');
  await start(user, username);
  await sandbox.fault({ mode: 'down' });
  assert.match((await check(token, user)).warning, /could not be reached/);
  assert.equal(await lastFailure(), 'unreachable');
  await sandbox.fault({ mode: 'none' });
  assert.deepEqual(await check(token, user), { skip: false });
  assert.equal(await lastFailure(), null, 'a message that was sent ends the outage');
});

test("SubGram's get_links=0 sends the message, and without a token lets the user in", async () => {
  const { sandbox } = service;
  const username = 'subgram_gate_bot';
  const { token, botToken } = await botInTelegram(username);
  await sandbox.advertise();
  const user = freshUser();
  await start(user, username);
  const ask = async () =>
    (
      await sandbox.call(
        'POST',
        '/compat/subgram/get-sponsors',
        { user_id: user, chat_id: user, get_links: 0 },
        { auth: token },
      )
    ).body;
  const without = await ask();
  assert.equal(without.status, 'ok');
  assert.match(without.message, /Telegram token/);
  await give(token, botToken);
  assert.equal((await ask()).status, 'warning');
  assert.match(JSON.stringify(await messagesTo(user, username)), /sponsorgate_check/);
});

test('the service accepts only the token of the bot itself, stores it encrypted and forgets it on request', async () => {
  const { sandbox, database } = service;
  const { token, botToken, botId } = await botInTelegram('own_token_bot');
  const other = await botInTelegram('other_token_bot');
  assert.equal((await give(token, other.botToken)).status, 422);
  assert.equal((await give(token, '1:not-a-token')).status, 422);
  assert.equal((await give(token, botToken)).status, 200);
  const [row] = await database.db.query<{ token_encrypted: Buffer }>(
    'SELECT token_encrypted FROM bot_telegram_tokens WHERE bot_id = $1',
    [botId],
  );
  assert.ok(row !== undefined && !row.token_encrypted.includes(botToken));
  assert.deepEqual((await give(token, null)).body, { has_telegram_token: false });
  await sandbox.advertise();
  assert.equal((await check(token, freshUser())).skip, true);
});
