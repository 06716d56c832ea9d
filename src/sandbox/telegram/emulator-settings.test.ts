import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Api } from 'grammy';
import { createTestDatabase } from '../../../test/support/database.ts';
import { refusal, startTestSandbox, type TestSandbox, USER } from './emulator.fixture.ts';

let sandbox: TestSandbox;
let manager: Api;

before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
  manager = sandbox.manager;
});
beforeEach(() => sandbox.emulator.reset());
after(() => sandbox?.drop());

const START = [{ command: 'start', description: 'Begin' }];
const START_RU = [{ command: 'start', description: 'Начать' }];

const speak = (language_code: string) => sandbox.control('PATCH', `/users/${USER}`, { language_code });
const seen = () => sandbox.emulator.messagesSeenBy(USER, 'manager_bot');

describe('the settings of a bot', () => {
  it('stores commands for each scope and language, and returns exactly the requested list', async () => {
    const scope = { type: 'all_private_chats' } as const;
    await manager.setMyCommands(START);
    await manager.setMyCommands(START_RU, { language_code: 'ru', scope });
    assert.deepEqual(await manager.getMyCommands(), START);
    assert.deepEqual(await manager.getMyCommands({ language_code: 'ru', scope }), START_RU);
    assert.deepEqual(await manager.getMyCommands({ language_code: 'ru' }), []);
    await manager.deleteMyCommands({ language_code: 'ru', scope });
    assert.deepEqual(await manager.getMyCommands({ language_code: 'ru', scope }), []);
    assert.deepEqual(await manager.getMyCommands(), START);
  });

  it('shows a person the commands and the description in the person’s language, else the general ones', async () => {
    await manager.setMyCommands(START);
    await manager.setMyCommands(START_RU, { language_code: 'ru' });
    await manager.setMyDescription('Ads');
    await manager.setMyDescription('Реклама', { language_code: 'ru' });
    await speak('ru');
    const russian = await seen();
    assert.deepEqual([russian?.commands, russian?.description], [START_RU, 'Реклама']);
    await speak('de');
    const german = await seen();
    assert.deepEqual([german?.commands, german?.description], [START, 'Ads']);
  });

  it('returns the texts of a language, else the general ones; an empty text removes one', async () => {
    await manager.setMyShortDescription('About');
    await manager.setMyShortDescription('О боте', { language_code: 'ru' });
    await manager.setMyName('Менеджер', { language_code: 'ru' });
    assert.equal((await manager.getMyShortDescription({ language_code: 'ru' })).short_description, 'О боте');
    assert.equal((await manager.getMyShortDescription({ language_code: 'fr' })).short_description, 'About');
    assert.equal((await manager.getMyName({ language_code: 'ru' })).name, 'Менеджер');
    assert.equal((await manager.getMyName()).name, 'Manager');
    await manager.setMyShortDescription('', { language_code: 'ru' });
    assert.equal((await manager.getMyShortDescription({ language_code: 'ru' })).short_description, 'About');
    await manager.setMyDescription('Ads');
    assert.equal((await manager.getMyDescription({ language_code: 'tr' })).description, 'Ads');
  });

  it('refuses what Telegram refuses', async () => {
    const refused = [
      () => manager.setMyDescription('x'.repeat(513)),
      () => manager.setMyShortDescription('x'.repeat(121)),
      () => manager.setMyName('x'.repeat(65), { language_code: 'ru' }),
      () => manager.setMyCommands([{ command: 'Start', description: 'Begin' }]),
      () => manager.setMyCommands([{ command: 'start', description: '' }]),
      () => manager.setMyCommands([{ command: 'start', description: 'x'.repeat(257) }]),
      () => manager.setMyCommands(START, { language_code: 'rus' as 'ru' }),
      () => manager.setMyCommands(START, { scope: { type: 'chat', chat_id: 'nowhere' } }),
    ];
    for (const call of refused) assert.equal((await refusal(call())).code, 400);
    await manager.setMyDescription('я'.repeat(512));
    await manager.setMyName('🎬'.repeat(64), { language_code: 'en' });
  });
});

describe('names', () => {
  const NAMES = [
    'x'.repeat(64),
    '🎬'.repeat(64),
    'مرحبا بالعالم',
    `Z${'\u0301\u0316'.repeat(31)}`,
    '\u202Eevil',
    'a\u200Db\u00ADc',
    '<b>&"\'',
  ];

  for (const [index, name] of NAMES.entries()) {
    it(`of any kind reach the bots unchanged: ${JSON.stringify(name.slice(0, 12))}`, async () => {
      const user_id = 810_000_000 + index;
      assert.equal((await sandbox.control('POST', '/users', { user_id, first_name: name })).status, 200);
      const { status } = await sandbox.control('POST', `/persons/${user_id}/chats`, { title: name });
      assert.equal(status, 200);
      await sandbox.control('POST', `/persons/${user_id}/messages`, { bot: 'manager_bot', text: name });
      const [update] = await sandbox.takeUpdates();
      assert.deepEqual([update?.message?.from?.first_name, update?.message?.text], [name, name]);
    });
  }

  it('longer than 64 characters are refused', async () => {
    assert.equal((await sandbox.control('POST', '/users', { first_name: 'x'.repeat(65) })).status, 422);
  });
});
