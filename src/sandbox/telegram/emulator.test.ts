import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/database.ts';
import { ALL_UPDATES, MANAGER, refusal, startTestSandbox, type TestSandbox, USER } from './emulator.fixture.ts';

let sandbox: TestSandbox;

before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
});

beforeEach(async () => {
  await sandbox.emulator.reset();
  await sandbox.manager.getUpdates({ allowed_updates: ALL_UPDATES });
});

after(() => sandbox?.drop());

describe('access', () => {
  it('rejects unknown tokens and methods as Telegram does', async () => {
    const { apiFor, origin } = sandbox;
    assert.deepEqual(await refusal(apiFor('1:wrong').getMe()), {
      code: 401,
      text: 'Unauthorized',
      retryAfter: undefined,
    });
    const unknown = await fetch(`${origin}/sandbox/telegram/bot${MANAGER.token}/noSuchMethod`);
    assert.equal(unknown.status, 404);
    assert.deepEqual(await unknown.json(), { ok: false, error_code: 404, description: 'Not Found' });
  });

  it('reads parameters from the query, from forms and from JSON', async () => {
    const { makeChat, manager, origin } = sandbox;
    const { chat_id } = await makeChat('channel', 'News');
    const base = `${origin}/sandbox/telegram/bot${MANAGER.token}/getChat`;
    const form = new URLSearchParams({ chat_id: String(chat_id) });
    for (const call of [fetch(`${base}?${form}`), fetch(base, { method: 'POST', body: form })]) {
      const { result } = (await (await call).json()) as { result: { title: string; type: string } };
      assert.deepEqual([result.title, result.type], ['News', 'channel']);
    }
    assert.equal((await manager.getMe()).username, 'manager_bot');
  });

  it('keeps a registered bot through a reset, with update ids that never go back', async () => {
    const { emulator, takeUpdates } = sandbox;
    await emulator.personSends(USER, 'manager_bot', 'one');
    const [first] = await takeUpdates();
    await emulator.reset();
    await emulator.personSends(USER, 'manager_bot', 'two');
    const [second] = await takeUpdates();
    assert.ok(first && second && second.update_id > first.update_id);
    assert.equal(second.message?.text, 'two');
  });
});

describe('people and chats', () => {
  it('creates channels with the service bot as administrator and bots with a token, and rejects taken names', async () => {
    const { apiFor, control, emulator, makeChat, manager } = sandbox;
    const { chat_id, link } = await makeChat('channel');
    assert.ok(chat_id < -1_000_000_000_000 && link.startsWith('https://t.me/'));
    assert.equal((await manager.getChatMember(chat_id, MANAGER.id)).status, 'administrator');
    const bot = await makeChat('bot', 'Shop');
    const token = await emulator.botToken(bot.chat_id);
    assert.equal((await apiFor(token).getMe()).id, bot.chat_id);
    const taken = await control<{ code: string }>('POST', '/chats', {
      type: 'channel',
      title: 'x',
      username: 'Manager_Bot',
    });
    assert.deepEqual([taken.status, taken.json.code], [422, 'conflict']);
    const { chats } = await emulator.snapshot();
    assert.deepEqual(
      chats.map((chat) => [chat.chat_id, chat.type, chat.members]),
      [
        [chat_id, 'channel', 0],
        [bot.chat_id, 'bot', 0],
      ],
    );
  });

  it('describes a person only to bots that have met them', async () => {
    const { control, makeChat, manager } = sandbox;
    const profile = { bio: 'hi', birthdate: '1990-05-17', photos: 2, rating: 7, gifts: 3, audios: true };
    const { json } = await control('POST', '/users', { user_id: USER, first_name: 'Анна', ...profile });
    assert.deepEqual(json, { user_id: USER });
    assert.equal((await refusal(manager.getChat(USER))).text, 'Bad Request: chat not found');
    const { chat_id } = await makeChat('channel');
    await control('PUT', `/chats/${chat_id}/members/${USER}`);
    const chat = await manager.getChat(USER);
    assert.ok(chat.type === 'private' && chat.photo);
    assert.deepEqual([chat.first_name, chat.bio, chat.rating?.level], ['Анна', 'hi', 7]);
    assert.deepEqual(chat.birthdate, { day: 17, month: 5, year: 1990 });
    assert.equal((await manager.getUserProfilePhotos(USER)).total_count, 2);
    assert.equal((await manager.getUserProfileAudios(USER)).audios.length, 1);
    assert.equal((await manager.getUserGifts(USER)).gifts.length, 3);
  });

  it('fills in a person that was created implicitly once, and rejects a second time', async () => {
    const { control, makeChat, manager } = sandbox;
    const { chat_id } = await makeChat('channel');
    await control('PUT', `/chats/${chat_id}/members/${USER}`);
    assert.equal((await control('POST', '/users', { user_id: USER, first_name: 'Olga' })).status, 200);
    assert.equal((await control('POST', '/users', { user_id: USER })).status, 422);
    assert.equal((await manager.getChatMember(chat_id, USER)).user.first_name, 'Olga');
  });
});

describe('membership', () => {
  it('returns the status from getChatMember, and the error texts that the service parses', async () => {
    const { control, emulator, makeChat, manager } = sandbox;
    const { chat_id } = await makeChat('channel');
    assert.equal((await refusal(manager.getChatMember(chat_id, USER))).text, 'Bad Request: user not found');
    assert.equal((await refusal(manager.getChatMember(-100, USER))).text, 'Bad Request: chat not found');
    await control('PUT', `/chats/${chat_id}/members/${USER}`);
    assert.equal((await manager.getChatMember(chat_id, USER)).status, 'member');
    await control('DELETE', `/chats/${chat_id}/members/${USER}`);
    assert.equal((await manager.getChatMember(chat_id, USER)).status, 'left');
    await control('PUT', `/chats/${chat_id}/members/${USER}?status=restricted`);
    const member = await manager.getChatMember(chat_id, USER);
    assert.ok(member.status === 'restricted' && member.is_member);
    await emulator.setAdmin(chat_id, MANAGER.id, false);
    const refused = await refusal(manager.getChatMember(chat_id, USER));
    assert.deepEqual([refused.code, refused.text], [400, 'Bad Request: member list is inaccessible']);
    assert.equal((await refusal(manager.getChatAdministrators(chat_id))).code, 400);
  });

  it('sends chat_member for a join and a leave, once each, and nothing when silent', async () => {
    const { control, makeChat, manager, takeUpdates } = sandbox;
    const { chat_id } = await makeChat('channel');
    await takeUpdates();
    const path = `/chats/${chat_id}/members/${USER}`;
    for (const call of ['PUT', 'PUT', 'DELETE', 'DELETE']) assert.equal((await control(call, path)).status, 204);
    await control('PUT', `${path}?silent=true`);
    const changes = (await takeUpdates()).map(({ chat_member }) => [
      chat_member?.chat.id,
      chat_member?.from.id,
      chat_member?.old_chat_member.status,
      chat_member?.new_chat_member.status,
    ]);
    assert.deepEqual(changes, [
      [chat_id, USER, 'left', 'member'],
      [chat_id, USER, 'member', 'left'],
    ]);
    assert.equal((await manager.getChatMember(chat_id, USER)).status, 'member');
    const missing = await control<{ detail: string }>('PUT', `/chats/-1001234567890/members/${USER}`);
    assert.equal(missing.json.detail, 'Bot not found');
  });

  it('applies only one of many simultaneous joins', async () => {
    const { emulator, makeChat, takeUpdates } = sandbox;
    const { chat_id } = await makeChat('channel');
    await takeUpdates();
    await Promise.all(Array.from({ length: 8 }, () => emulator.join(chat_id, USER, { skipWait: true })));
    assert.equal((await takeUpdates()).length, 1);
  });

  it('delivers chat_member only to a bot that requested it, and stores the request', async () => {
    const { apiFor, emulator, makeChat } = sandbox;
    const { chat_id } = await makeChat('channel');
    const { chat_id: botId } = await makeChat('bot');
    const api = apiFor(await emulator.botToken(botId));
    await emulator.setAdmin(chat_id, botId, true);
    await emulator.join(chat_id, USER, { skipWait: true });
    const byDefault = await api.getUpdates();
    assert.deepEqual(
      byDefault.map((update) => 'my_chat_member' in update),
      [true],
    );
    await api.getUpdates({ allowed_updates: ['chat_member'] });
    await api.getUpdates();
    await emulator.leave(chat_id, USER);
    assert.equal((await api.getUpdates()).at(-1)?.chat_member?.new_chat_member.status, 'left');
  });

  it('holds join requests until an administrator decides', async () => {
    const { control, makeChat, manager, takeUpdates } = sandbox;
    const { chat_id } = await makeChat('channel');
    await takeUpdates();
    await control('PUT', `/chats/${chat_id}/join-requests/${USER}`);
    assert.equal((await manager.getChatMember(chat_id, USER)).status, 'left');
    assert.equal((await takeUpdates())[0]?.chat_join_request?.from.id, USER);
    assert.ok(await manager.approveChatJoinRequest(chat_id, USER));
    assert.equal((await manager.getChatMember(chat_id, USER)).status, 'member');
    assert.match((await refusal(manager.declineChatJoinRequest(chat_id, USER))).text, /HIDE_REQUESTER_MISSING/);
  });

  it('names the invite link that a person used', async () => {
    const { control, makeChat, manager, takeUpdates } = sandbox;
    const { chat_id } = await makeChat('channel');
    const { invite_link } = await manager.createChatInviteLink(chat_id, { name: 'ad' });
    await takeUpdates();
    await control('PUT', `/chats/${chat_id}/members/${USER}?invite_link=${encodeURIComponent(invite_link)}`);
    assert.equal((await takeUpdates())[0]?.chat_member?.invite_link?.name, 'ad');
  });

  it('starts, blocks and unblocks a bot', async () => {
    const { apiFor, control, emulator, makeChat, takeUpdates } = sandbox;
    const { chat_id } = await makeChat('bot');
    const api = apiFor(await emulator.botToken(chat_id));
    const path = `/chats/${chat_id}/members/${USER}`;
    await emulator.createUser({ user_id: USER });
    assert.equal((await refusal(api.sendChatAction(USER, 'typing'))).text, 'Bad Request: chat not found');
    assert.equal(
      (await refusal(api.sendMessage(USER, 'hi'))).text,
      "Forbidden: bot can't initiate conversation with a user",
    );
    await control('PUT', path);
    assert.equal(await api.sendChatAction(USER, 'typing'), true);
    await control('DELETE', path);
    const blocked = await refusal(api.sendChatAction(USER, 'typing'));
    assert.deepEqual([blocked.code, blocked.text], [403, 'Forbidden: bot was blocked by the user']);
    await control('PUT', path);
    const seen = (await takeUpdates(api)).map((u) => u.message?.text ?? u.my_chat_member?.new_chat_member.status);
    assert.deepEqual(seen, ['/start', 'kicked', 'member', '/start']);
  });
});
