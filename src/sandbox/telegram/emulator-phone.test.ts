import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Api, InlineKeyboard, InputFile } from 'grammy';
import { createTestDatabase } from '../../../test/support/database.ts';
import { startTestSandbox, type TestSandbox, USER } from './emulator.fixture.ts';
import { readFile } from './files-store.ts';
import { listPersons, listPhoneChats } from './phone-store.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let sandbox: TestSandbox;
let manager: Api;

before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
  manager = sandbox.manager;
});

beforeEach(async () => {
  await sandbox.emulator.reset();
  await sandbox.emulator.personSends(USER, 'manager_bot', '/start');
  await sandbox.takeUpdates();
});

after(() => sandbox?.drop());

const lastMessage = async () => (await sandbox.emulator.messagesSeenBy(USER, 'manager_bot'))?.messages.at(-1);

describe('the phone of the page', () => {
  it('lists every chat with the person’s membership and the last message', async () => {
    const channel = await sandbox.makeChat('channel', 'News');
    const bot = await sandbox.makeChat('bot', 'Quiz');
    await manager.sendMessage(USER, 'Welcome');
    await sandbox.emulator.join(channel.chat_id, USER);
    await sandbox.emulator.join(bot.chat_id, USER);
    await sandbox.emulator.leave(bot.chat_id, USER);
    const chats = await listPhoneChats(sandbox.db, USER);
    const shown = chats.map(({ title, type, is_member, is_blocked, members, is_service, last }) => [
      title,
      type,
      is_member,
      is_blocked,
      members,
      is_service,
      last?.text ?? null,
    ]);
    assert.deepEqual(shown, [
      ['Manager', 'bot', true, false, 1, true, 'Welcome'],
      ['BotFather', 'bot', false, false, 0, true, null],
      ['News', 'channel', true, false, 1, false, null],
      ['Quiz', 'bot', false, true, 0, false, '/start'],
    ]);
  });

  it('lists people without bots, always including the first ones', async () => {
    const names = Array.from({ length: 80 }, (_, index) => `Guest ${index}`);
    for (const [index, name] of names.entries()) {
      await sandbox.emulator.createUser({ user_id: 800_000_000 + index, first_name: name });
    }
    const persons = (await listPersons(sandbox.db)).map((person) => person.first_name);
    assert.equal(persons.length, 60);
    assert.deepEqual([persons[0], persons.at(-1)], ['Person', 'Guest 79']);
    assert.ok(!persons.includes('Manager'));
  });
});

describe('a picture', () => {
  it('is stored with its bytes until a reset', async () => {
    await manager.sendPhoto(USER, new InputFile(PNG, 'chart.png'), { caption: 'Chart' });
    const { picture = '' } = (await lastMessage()) ?? {};
    const number = Number(/^\/sandbox\/files\/(\d+)$/.exec(picture)?.[1]);
    assert.deepEqual(await readFile(sandbox.db, number), { type: 'image/png', bytes: PNG });
    await sandbox.emulator.reset();
    assert.equal(await readFile(sandbox.db, number), undefined);
  });

  it('that a browser could run is sent but not stored', async () => {
    await manager.sendPhoto(USER, new InputFile(Buffer.from('<svg onload="x()"/>'), 'x.svg'));
    const message = await lastMessage();
    assert.deepEqual([message?.photo, message?.picture], [true, undefined]);
  });

  it('can be replaced', async () => {
    const sent = await manager.sendPhoto(USER, new InputFile(PNG, 'week.png'));
    const before = (await lastMessage())?.picture;
    const media = { type: 'photo', media: new InputFile(PNG, 'month.png'), caption: 'Month' } as const;
    await manager.editMessageMedia(USER, sent.message_id, media);
    const message = await lastMessage();
    assert.equal(message?.text, 'Month');
    assert.notEqual(message?.picture, before);
  });
});

describe('a press on one message', () => {
  it('reaches that message, not the newest with the same button', async () => {
    const keyboard = new InlineKeyboard().text('Open', 'open');
    const first = await manager.sendMessage(USER, 'first', { reply_markup: keyboard });
    await manager.sendMessage(USER, 'second', { reply_markup: keyboard });
    const path = `/persons/${USER}/presses`;
    const pressed = { bot: 'manager_bot', data: 'open', message_id: first.message_id };
    assert.equal((await sandbox.control('POST', path, pressed)).status, 204);
    const [update] = await sandbox.takeUpdates();
    assert.equal(update?.callback_query?.message?.message_id, first.message_id);
    assert.equal((await sandbox.control('POST', path, { ...pressed, message_id: 999 })).status, 404);
  });
});
