import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bot, HttpError, InlineKeyboard } from 'grammy';
import type { Update } from 'grammy/types';
import { createTestDatabase } from '../../../test/support/database.ts';
import {
  ALL_UPDATES,
  MANAGER,
  openSandbox,
  refusal,
  startTestSandbox,
  type TestSandbox,
  USER,
  whilePolling,
} from './emulator.fixture.ts';

let sandbox: TestSandbox;

before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
});

beforeEach(async () => {
  await sandbox.manager.deleteWebhook();
  await sandbox.emulator.reset();
  await sandbox.manager.getUpdates({ allowed_updates: ALL_UPDATES });
});

after(() => sandbox?.drop());

/** How long the emulator waits for a running bot. */
const HANDLING_LIMIT_MS = 30_000;
const POLL_SECONDS = 50;

const managerBot = (origin = sandbox.origin): Bot =>
  new Bot(MANAGER.token, { client: { apiRoot: `${origin}/sandbox/telegram` } });

describe('long polling', () => {
  it('responds to the person only after the bot has handled the message or the press', async () => {
    const bot = managerBot();
    bot.command('start', async (ctx) => {
      await sleep(150);
      await ctx.reply('Menu', { reply_markup: new InlineKeyboard().text('More', 'more') });
    });
    bot.callbackQuery('more', async (ctx) => {
      await ctx.editMessageText('Nothing more');
      await ctx.answerCallbackQuery();
    });
    await whilePolling(bot, async () => {
      await sandbox.control('POST', `/persons/${USER}/messages`, { bot: 'manager_bot', text: '/start' });
      const texts = async () =>
        (await sandbox.emulator.messagesSeenBy(USER, 'manager_bot'))?.messages.map((message) => message.text);
      assert.deepEqual(await texts(), ['/start', 'Menu']);
      await sandbox.control('POST', `/persons/${USER}/presses`, { bot: 'manager_bot', button: 'More' });
      assert.deepEqual(await texts(), ['/start', 'Nothing more']);
    });
  });

  it('wakes a poll in one process for an update from another process', async () => {
    const other = await openSandbox(sandbox.db);
    try {
      const bot = managerBot(other.origin);
      const handled: number[] = [];
      bot.on('chat_member', (ctx) => void handled.push(ctx.chatMember.from.id));
      await whilePolling(bot, async () => {
        const { chat_id } = await sandbox.makeChat('channel');
        await sandbox.control('PUT', `/chats/${chat_id}/members/${USER}`);
        assert.deepEqual(handled, [USER]);
      });
    } finally {
      await other.close();
    }
  });

  it('ends the older of two polls, and every poll while a webhook is set', async () => {
    const older = refusal(sandbox.manager.getUpdates({ timeout: 20 }));
    await sleep(100);
    await sandbox.manager.getUpdates();
    const replaced = await older;
    assert.deepEqual([replaced.code, /terminated by other getUpdates/.test(replaced.text)], [409, true]);
    await sandbox.manager.setWebhook('http://127.0.0.1:9/none');
    const hooked = await refusal(sandbox.manager.getUpdates());
    assert.deepEqual([hooked.code, /webhook is active/.test(hooked.text)], [409, true]);
  });

  it('does not make the person wait for a bot that does not run', async () => {
    const { chat_id } = await sandbox.makeChat('bot');
    const begun = performance.now();
    assert.equal((await sandbox.control('PUT', `/chats/${chat_id}/members/${USER}`)).status, 204);
    assert.ok(performance.now() - begun < HANDLING_LIMIT_MS, 'it waited for the bot');
  });

  it('ends a waiting poll when the server closes', async () => {
    const other = await openSandbox(sandbox.db);
    const waiting = other.manager.getUpdates({ timeout: POLL_SECONDS }).catch(() => undefined);
    await sleep(100);
    const begun = performance.now();
    await other.close();
    await waiting;
    assert.ok(performance.now() - begun < POLL_SECONDS * 1000, 'the poll was let go before its time');
  });
});

describe('webhooks', () => {
  it('posts updates in order with the secret, retries after a failure, and waits for the response', async () => {
    const received: { update: Update; secret: unknown }[] = [];
    let failures = 1;
    const server = createServer((request: IncomingMessage, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        if (failures-- > 0) return response.writeHead(500).end();
        received.push({ update: JSON.parse(body), secret: request.headers['x-telegram-bot-api-secret-token'] });
        return response.writeHead(200).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
      await sandbox.manager.setWebhook(url, { secret_token: 's3cret', allowed_updates: ['message'] });
      for (const text of ['one', 'two', 'three']) await sandbox.emulator.personSends(USER, 'manager_bot', text);
      assert.deepEqual(
        received.map(({ update, secret }) => [update.message?.text, secret]),
        [
          ['one', 's3cret'],
          ['two', 's3cret'],
          ['three', 's3cret'],
        ],
      );
      const info = await sandbox.manager.getWebhookInfo();
      assert.deepEqual([info.url, info.pending_update_count], [url, 0]);
      assert.match(info.last_error_message ?? '', /500/);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

describe('faults', () => {
  const fault = async (body: object) => assert.equal((await sandbox.control('POST', '/faults', body)).status, 204);

  it('returns 502 without JSON while down, except to a poller, until cleared', async () => {
    await fault({ mode: 'down' });
    await assert.rejects(sandbox.manager.getMe(), HttpError);
    await sandbox.manager.getUpdates();
    const response = await fetch(`${sandbox.origin}/sandbox/telegram/bot${MANAGER.token}/getMe`);
    assert.deepEqual([response.status, await response.text()], [502, 'Bad Gateway']);
    await fault({ mode: 'none' });
    assert.ok(await sandbox.manager.getMe());
  });

  it('makes exactly the counted number of calls fail, only of that method and chat, across all processes', async () => {
    const other = await openSandbox(sandbox.db);
    try {
      const { chat_id } = await sandbox.makeChat('channel');
      await sandbox.emulator.join(chat_id, USER, { silent: true });
      await fault({ mode: 'too_many_requests', method: 'getChatMember', chat_id, count: 3, retry_after: 7 });
      assert.ok(await sandbox.manager.getChat(chat_id));
      await sleep(50);
      const calls = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) => (index % 2 ? other : sandbox).manager.getChatMember(chat_id, USER)),
      );
      assert.equal(calls.filter((call) => call.status === 'rejected').length, 3);
      await fault({ mode: 'too_many_requests', count: 1, retry_after: 7 });
      const refused = await refusal(sandbox.manager.getMe());
      assert.deepEqual(refused, { code: 429, text: refused.text, retryAfter: 7 });
    } finally {
      await other.close();
    }
  });

  it('delays calls, and removes administrator rights', async () => {
    const { chat_id } = await sandbox.makeChat('channel');
    await sandbox.emulator.join(chat_id, USER, { silent: true });
    await fault({ mode: 'slow', delay_ms: 120, count: 1 });
    const begun = performance.now();
    assert.equal((await sandbox.manager.getChatMember(chat_id, USER)).status, 'member');
    assert.ok(performance.now() - begun >= 115);
    await fault({ mode: 'not_admin', chat_id });
    assert.equal(
      (await refusal(sandbox.manager.getChatMember(chat_id, USER))).text,
      'Bad Request: member list is inaccessible',
    );
    assert.ok(await sandbox.manager.getChat(chat_id));
    await fault({ mode: 'none', chat_id });
    assert.equal((await sandbox.manager.getChatMember(chat_id, USER)).status, 'member');
  });
});
