import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { MessageOrigin } from 'grammy/types';
import { createTestDatabase } from '../../../test/support/database.ts';
import { ALL_UPDATES, refusal, startTestSandbox, type TestSandbox, USER } from './emulator.fixture.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
});
beforeEach(async () => {
  await sandbox.emulator.reset();
  await sandbox.manager.getUpdates({ allowed_updates: ALL_UPDATES });
  await sandbox.emulator.personSends(USER, 'manager_bot', '/start');
  await sandbox.takeUpdates();
});
after(() => sandbox?.drop());

/** Sends a message to the manager and returns the origin that the manager sees. */
async function originOf(forwarded: object): Promise<MessageOrigin | undefined> {
  const body = { bot: 'manager_bot', text: 'look', ...forwarded };
  const { status } = await sandbox.control('POST', `/persons/${USER}/messages`, body);
  assert.equal(status, 204);
  const [update] = await sandbox.takeUpdates();
  assert.deepEqual([update?.message?.from?.id, update?.message?.text], [USER, 'look']);
  return update?.message?.forward_origin;
}

describe('a forwarded message', () => {
  it('shows the current name of the bot that wrote it', async () => {
    const { token, chat_id, username } = await newBot('Quiz');
    const api = sandbox.apiFor(token);
    const before = await originOf({ forward_from: `@${username}` });
    assert.ok(before?.type === 'user');
    assert.deepEqual(before.sender_user, { id: chat_id, is_bot: true, first_name: 'Quiz', username });
    await api.setMyName('Quiz SG-7K2QXM');
    const after = await originOf({ forward_from: username });
    assert.ok(after?.type === 'user');
    assert.equal(after.sender_user.first_name, 'Quiz SG-7K2QXM');
  });

  it('names a person by id, or only by name when the person hides the account', async () => {
    const { json } = await sandbox.control<{ user_id: number }>('POST', '/users', { first_name: 'Anna' });
    const shown = await originOf({ forward_from: json.user_id });
    assert.ok(shown?.type === 'user');
    assert.deepEqual([shown.sender_user.id, shown.sender_user.is_bot], [json.user_id, false]);
    const hidden = await originOf({ forward_from_name: 'Anna' });
    assert.ok(hidden?.type === 'hidden_user');
    assert.equal(hidden.sender_user_name, 'Anna');
  });

  it('has no origin when the person wrote it, and cannot come from an unknown author', async () => {
    assert.equal(await originOf({}), undefined);
    const body = { bot: 'manager_bot', text: 'look', forward_from: 'nobody_of_that_name' };
    assert.equal((await sandbox.control('POST', `/persons/${USER}/messages`, body)).status, 404);
  });
});

describe('the name of a bot', () => {
  it('can be set and read with the token, and falls back to the username when it is removed', async () => {
    const { token, username } = await newBot('Quiz');
    const api = sandbox.apiFor(token);
    assert.equal((await api.getMyName()).name, 'Quiz');
    await api.setMyName('Another');
    assert.deepEqual([(await api.getMyName()).name, (await api.getMe()).first_name], ['Another', 'Another']);
    await api.setMyName('');
    assert.equal((await api.getMe()).first_name, username);
    assert.equal((await refusal(api.setMyName('x'.repeat(65)))).code, 400);
    assert.equal((await refusal(sandbox.apiFor('1:wrong').setMyName('Mine'))).code, 401);
  });
});

async function newBot(title: string): Promise<{ token: string; chat_id: number; username: string }> {
  return sandbox.emulator.createBot({ title });
}
