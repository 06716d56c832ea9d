import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person, plain } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

describe('the first screen', () => {
  it('greets in the person’s language, shows the balance and needs no command', async () => {
    const ivan = await Person.arrive(service.sandbox, { first_name: 'Иван', language_code: 'ru' });
    const menu = await ivan.say('привет');
    assert.match(plain(menu.text), /Иван.*Доступно: 0,00 ₽/s);
    const grace = await Person.arrive(service.sandbox, { first_name: 'Grace <b>', language_code: 'de' });
    assert.match((await grace.say('/start')).text, /Grace <b>.*Available: ₽0\.00/s);
  });

  it('is one message: presses edit it, and a text of the person moves it to the end', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const first = await person.say('/start');
    const pressed = await person.go('Language', 'Back', 'Language');
    assert.equal(pressed.message_id, first.message_id);
    const later = await person.say('hello');
    assert.notEqual(later.message_id, first.message_id);
    assert.equal((await person.messages()).filter(({ from }) => from === 'bot').length, 1);
  });

  it('removes the buttons of a menu that is too old to be deleted', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const old = await person.say('/start');
    await service.sandbox.advance(49 * 3600);
    const fresh = await person.say('/start');
    const menus = (await person.messages()).filter(({ from }) => from === 'bot');
    assert.deepEqual(
      menus.map(({ message_id, buttons }) => [message_id, buttons.length > 0]),
      [
        [old.message_id, false],
        [fresh.message_id, true],
      ],
    );
  });

  it('keeps the chosen language', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    assert.match((await person.go('Language', 'Русский')).text, /Доступно/);
    assert.match((await person.say('hello')).text, /Доступно/);
    assert.match((await person.go('Язык', 'English')).text, /Available/);
  });

  it('answers every press, so no spinner stays', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    for (const data of ['language', 'home', 'speak:en', 'speak:xx', 'nothing:of:ours', '::', '/']) {
      await person.forge(data);
      assert.equal(await person.isWaiting(), false, data);
    }
  });

  for (const { language_code, label, says } of [
    { language_code: 'ru', label: 'Язык', says: /просит подождать 7 с/ },
    { language_code: 'en', label: 'Language', says: /asks us to wait 7 s/ },
  ]) {
    it(`shows an alert with the flood wait when the screen cannot change, in ${language_code}`, async () => {
      const person = await Person.arrive(service.sandbox, { language_code });
      const before = await person.say('/start');
      await service.sandbox.fault({ mode: 'too_many_requests', retry_after: 7, method: 'editMessageText' });
      assert.equal((await person.press(label)).text, before.text);
      assert.match((await person.notice())?.text ?? '', says);
      assert.equal((await person.notice())?.show_alert, true);
    });
  }

  it('shows both the toast and the failure when only the screen failed', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    await service.sandbox.fault({ mode: 'down', method: 'editMessageText' });
    await person.forge('nothing:of:ours');
    assert.match((await person.notice())?.text ?? '', /^That button is out of date.*Something went wrong/);
  });

  it('shows no operator button to other people', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const labels = (await person.say('/start')).buttons.flat();
    assert.ok(!labels.some((label) => label.includes('Operator')), String(labels));
  });
});

describe('the bot in a group', () => {
  const openGroup = async () => {
    const { chat_id: chatId } = await service.sandbox.control('POST', '/chats', { type: 'supergroup', title: 'Cats' });
    const { management_bot: bot } = await service.sandbox.control('GET', '/state');
    const write = (text: string, user_id?: number) =>
      service.sandbox.control('POST', `/chats/${chatId}/messages`, { text, user_id });
    const replies = async (): Promise<string[]> => {
      const seen = await service.sandbox.control('GET', `/chats/${chatId}/messages?bot=${bot}`);
      return seen.messages
        .filter(({ from }: { from: string }) => from === 'bot')
        .map(({ text }: { text: string }) => text);
    };
    return { chatId, bot, write, replies };
  };

  it('replies only to a command that names it', async () => {
    const { bot, write, replies } = await openGroup();
    const texts = [
      '/rules',
      '/ban@other_bot',
      'try /help some day',
      `ask @${bot}`,
      `see /help@${bot}`,
      `/help@${bot}x`,
    ];
    for (const text of texts) await write(text, freshUser());
    assert.deepEqual(await replies(), []);
    await write(`/help@${bot.toUpperCase()} please`, freshUser());
    assert.match(String(await replies()), /private messages/);
  });

  it('logs no error for a message without an author or a group where it may not write', async () => {
    const { chatId, bot, write, replies } = await openGroup();
    await write(`/help@${bot}`);
    assert.equal((await replies()).length, 1);
    const [found] = await service.database.db.query<{ bot_id: bigint }>(
      'SELECT bot_id FROM sandbox.tg_bots JOIN sandbox.tg_users ON user_id = bot_id WHERE username = $1',
      [bot],
    );
    await service.sandbox.control('PUT', `/chats/${chatId}/members/${found?.bot_id}?status=restricted&silent=true`);
    await write(`/help@${bot}`, freshUser());
    assert.equal((await replies()).length, 1);
    assert.doesNotMatch(service.logs(), /update not handled/);
  });
});
