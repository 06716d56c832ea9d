import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { GrammyError } from 'grammy';
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

const open = async (body: object): Promise<{ chat_id: number; link: string }> =>
  (await sandbox.control<{ chat_id: number; link: string }>('POST', '/chats', { title: 'Chat', ...body })).json;

it('moves a basic group with its members to a supergroup, and names the new id in errors about the old one', async () => {
  const { manager, emulator, takeUpdates } = sandbox;
  const { chat_id: group } = await open({ type: 'group' });
  assert.ok(group < 0 && group > -1_000_000_000_000);
  assert.equal((await manager.getChat(group)).type, 'group');
  await emulator.join(group, USER);
  await takeUpdates();
  const supergroup = await emulator.migrateGroup(group);
  assert.ok(typeof supergroup === 'number');
  const updates = await takeUpdates();
  assert.deepEqual(
    updates.map(({ message, my_chat_member: own }) => [
      message?.migrate_to_chat_id ?? message?.migrate_from_chat_id ?? own?.new_chat_member.status,
      (message ?? own)?.chat.id,
    ]),
    [
      ['left', group],
      ['administrator', supergroup],
      [supergroup, group],
      [group, supergroup],
    ],
  );
  for (const call of [() => manager.getChatMember(group, USER), () => manager.sendMessage(group, 'hello')]) {
    const error = await call().then(
      () => undefined,
      (refused: unknown) => refused,
    );
    assert.ok(error instanceof GrammyError);
    assert.equal(error.description, 'Bad Request: group chat was upgraded to a supergroup chat');
    assert.deepEqual(error.parameters, { migrate_to_chat_id: supergroup });
  }
  assert.equal((await manager.getChatMember(supergroup, USER)).status, 'member');
  assert.equal(await emulator.migrateGroup(group), 'chat_not_found', 'once');
});

it('shows a chat without a public name only to its members', async () => {
  const { apiFor, emulator, manager } = sandbox;
  const secret = await open({ type: 'channel', private: true });
  const known = await open({ type: 'channel' });
  const bot = await sandbox.emulator.createBot({ title: 'Stranger' });
  const stranger = apiFor(bot.token);
  assert.equal((await stranger.getChat(known.chat_id)).id, known.chat_id);
  const refused = await refusal(stranger.getChat(secret.chat_id));
  assert.deepEqual([refused.code, refused.text], [403, 'Forbidden: bot is not a member of the channel chat']);
  assert.equal((await manager.getChat(secret.chat_id)).invite_link, secret.link);
  await emulator.leave(secret.chat_id, MANAGER.id, { status: 'kicked', silent: true });
  const kicked = await refusal(manager.getChat(secret.chat_id));
  assert.equal(kicked.text, 'Forbidden: bot was kicked from the channel chat');
});

it('lets a bot edit only its own links, and only while they work', async () => {
  const { emulator, manager } = sandbox;
  const { chat_id, link } = await open({ type: 'channel', private: true });
  const other = await open({ type: 'channel', private: true });
  const { invite_link: own } = await manager.createChatInviteLink(chat_id);
  assert.equal((await manager.editChatInviteLink(chat_id, own, { name: 'Ours' })).name, 'Ours');
  assert.match((await refusal(manager.editChatInviteLink(chat_id, link))).text, /INVITE_HASH_INVALID/);
  assert.match((await refusal(manager.editChatInviteLink(other.chat_id, own))).text, /INVITE_HASH_INVALID/);
  await emulator.revokeLinks(chat_id);
  assert.match((await refusal(manager.editChatInviteLink(chat_id, own))).text, /INVITE_HASH_EXPIRED/);
});

it("accepts webhooks by https on Telegram's ports only, and local addresses on any port", async () => {
  const { manager } = sandbox;
  const textOf = async (url: string) => (await refusal(manager.setWebhook(url))).text;
  assert.equal(await textOf('ftp://bot.example/'), 'Bad Request: invalid webhook URL specified');
  assert.equal(await textOf('nonsense'), 'Bad Request: invalid webhook URL specified');
  const noTls = 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook';
  assert.equal(await textOf('http://bot.example/'), noTls);
  const wrongPort = 'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443';
  assert.equal(await textOf('https://bot.example:8080/'), wrongPort);
  for (const port of ['', ':443', ':80', ':88', ':8443']) {
    assert.equal(await manager.setWebhook(`https://bot.example${port}/hook`), true);
  }
  assert.equal(await manager.setWebhook('http://127.0.0.1:9/hook'), true);
  await manager.deleteWebhook();
});

it('admits a person who requests to join only after an administrator approves', async () => {
  const { emulator, manager, takeUpdates } = sandbox;
  const { chat_id } = await open({ type: 'channel', private: true });
  await takeUpdates();
  await emulator.requestJoin(chat_id, USER);
  const [request] = await takeUpdates();
  assert.equal(request?.chat_join_request?.from.id, USER);
  assert.equal((await manager.getChatMember(chat_id, USER)).status, 'left');
  await manager.approveChatJoinRequest(chat_id, USER);
  assert.equal((await manager.getChatMember(chat_id, USER)).status, 'member');
  assert.match((await refusal(manager.declineChatJoinRequest(chat_id, USER))).text, /HIDE_REQUESTER_MISSING/);
});
