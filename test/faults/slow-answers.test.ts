import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { query } from '../support/books.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Person } from '../support/person.ts';
import { killAll, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

after(killAll);

const botMessages = async (person: Person): Promise<number> =>
  (await person.messages()).filter(({ from }) => from === 'bot').length;

const isKept = (url: string) => async (): Promise<boolean> =>
  (await query(url, 'SELECT FROM unfinished_updates')).length > 0;

test('a message that Telegram accepts slowly delays no other update and survives a killed process', async () => {
  const database = await createTestDatabase();
  let service = await startProcess({ DATABASE_URL: database.url });
  const { sandbox } = service;
  const slow = await Person.arrive(sandbox, { language_code: 'en' });
  const other = await Person.arrive(sandbox, { language_code: 'en' });
  const { chat_id: chatId } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  await sandbox.fault({ mode: 'slow', method: 'sendMessage', chat_id: slow.id, delay_ms: 600_000 });
  const said = slow.say('/start').catch(() => undefined);

  assert.match((await other.say('/start')).text, /Available/);
  await other.press('Language');
  const user = freshUser();
  await sandbox.join(chatId, user);
  await eventually('a joining is noticed', async () => {
    const rows = await query(database.url, 'SELECT FROM memberships WHERE user_id = $1 AND chat_id = $2', [
      user,
      chatId,
    ]);
    return rows.length === 1;
  });
  assert.equal(await botMessages(slow), 0, 'all of this while the slow message is on its way');

  await eventually('the update is kept, so that Telegram may forget it', isKept(database.url));
  await said;
  await service.end('SIGKILL');
  await query(database.url, 'DELETE FROM sandbox.tg_faults');
  service = await startProcess({ DATABASE_URL: database.url });
  const again = new Person(service.sandbox, slow.id, (await service.sandbox.control('GET', '/state')).management_bot);
  await eventually('the person is answered by the next process', async () => (await botMessages(again)) > 0);
  await eventually('nothing is left behind', async () => !(await isKept(database.url)()));
  await service.end('SIGTERM');
  await database.drop();
});

test('an update that always fails is dropped after five attempts, and later updates are handled', async () => {
  const database = await createTestDatabase();
  const service = await startProcess({ DATABASE_URL: database.url });
  const person = await Person.arrive(service.sandbox, { language_code: 'en' });
  const { chat_id: chatId } = await service.sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  const chat = { id: chatId, type: 'channel', title: 'News' };
  const push = (body: object) =>
    query(
      database.url,
      `WITH bot AS (
         UPDATE sandbox.tg_bots SET last_update_id = last_update_id + 1 WHERE is_registered RETURNING bot_id, last_update_id)
       INSERT INTO sandbox.tg_updates SELECT bot_id, last_update_id, $1 FROM bot`,
      [JSON.stringify(body)],
    );
  const user = { id: freshUser(), is_bot: false, first_name: 'U' };
  // This update names no user, so it fails every time.
  await push({ chat_member: { chat, date: 1, from: user, new_chat_member: { status: 'left' } } });
  // The service ignores a status of a later version of the Bot API.
  await push({ chat_member: { chat, date: 1, from: user, new_chat_member: { user, status: 'hovering' } } });
  await push({ my_chat_member: { chat, date: 1, from: user, new_chat_member: { user, status: 'hovering' } } });
  await push({ message: { message_id: 1, date: 1, chat: { ...chat, type: 'supergroup' }, text: '/help' } });
  assert.match((await person.say('/start')).text, /Available/);
  await eventually('it is given up', () => service.stderr().includes('update given up'));
  const failures = service
    .stderr()
    .split('\n')
    .filter((line) => /update not handled|update given up/.test(line));
  assert.equal(failures.length, 5, failures.join('\n'));
  assert.equal((await query(database.url, 'SELECT FROM memberships WHERE user_id = $1', [user.id])).length, 0);
  await service.end('SIGTERM');
  await database.drop();
});
