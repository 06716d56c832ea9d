import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { Person } from '../support/person.ts';
import { ownerWith, read } from './balance-labels.ts';

const MANAGEMENT_BOT = 700_000_001;

describe('what Telegram shows about the bot', () => {
  const service = useService();

  it('is set in both languages: commands, description and short description', async () => {
    const [row] = await service.database.db.query<{ token: string }>(
      'SELECT token FROM sandbox.tg_bots WHERE bot_id = $1',
      [MANAGEMENT_BOT],
    );
    const call = async (method: string, language_code?: string) => {
      const path = `/sandbox/telegram/bot${row?.token}/${method}`;
      return (await service.sandbox.call('POST', path, { ...(language_code && { language_code }) })).body.result;
    };
    await eventually('the bot is described', async () => (await call('getMyCommands', 'ru')).length > 0);
    const commands = ['start', 'bots', 'orders', 'balance', 'notices', 'console', 'language'];
    for (const [language, balance, about] of [
      [undefined, 'Balance and payouts', /exchange/],
      ['ru', 'Баланс и выплаты', /[Бб]иржа/],
    ] as const) {
      const listed: { command: string; description: string }[] = await call('getMyCommands', language);
      assert.deepEqual(
        listed.map(({ command }) => command),
        commands,
      );
      assert.equal(listed[3]?.description, balance);
      assert.match((await call('getMyDescription', language)).description, about);
      assert.match((await call('getMyShortDescription', language)).short_description, about);
    }
  });
});

describe('a command', () => {
  const service = useService();

  it('opens its screen, also while a question is open', async () => {
    const { person } = await ownerWith(service.sandbox, { language: 'en' });
    await person.go('Balance', 'Deposit');
    assert.match(read(await person.say('/orders')), /My orders/);
    assert.match(read(await person.say('300')), /Available/, 'the question about the amount is closed');
    assert.match(read(await person.say('/balance')), /In hold/);
    assert.match(read(await person.say('/bots@sponsorgate_bot')), /My bots/);
    assert.match(read(await person.say('/language')), /Which language/);
    assert.match(read(await person.say('/unknown')), /this is Sponsorgate/);
  });
});

describe('texts about a failure', () => {
  const service = useService();

  it('follow the language that the person chose in the bot', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    await person.go('Language', 'Русский');
    await person.forge('bot:999999');
    assert.match((await person.notice())?.text ?? '', /Такого бота у вас нет/);
    await service.sandbox.fault({ mode: 'too_many_requests', retry_after: 7, method: 'editMessageText' });
    await person.forge('balance');
    assert.match((await person.notice())?.text ?? '', /просит подождать 7 с/);
    await service.sandbox.fault({ mode: 'none' });

    const { chat_id: chatId } = await service.sandbox.control('POST', '/chats', { type: 'supergroup', title: 'Cats' });
    const { management_bot: bot } = await service.sandbox.control('GET', '/state');
    const message = { text: `/start@${bot}`, user_id: person.id };
    await service.sandbox.control('POST', `/chats/${chatId}/messages`, message);
    const seen = await service.sandbox.control('GET', `/chats/${chatId}/messages?bot=${bot}`);
    assert.match(JSON.stringify(seen.messages), /только в личных сообщениях/);
  });
});

describe('names that could disturb a message', () => {
  const service = useService();

  for (const [what, name, expected] of [
    ['right-to-left', 'שלום עולם', /שלום עולם\u200e/],
    ['reordering', 'abc\u202egpj', /abcgpj/],
    ['stacked marks', `a${'\u0301'.repeat(40)}b`, /a\u0301\u0301b/],
    ['long and unbroken', 'Ж'.repeat(64), /Ж{64}/],
  ] as const) {
    it(`are shown without disturbing it: ${what}`, async () => {
      const person = await Person.arrive(service.sandbox, { first_name: name, language_code: 'en' });
      const { text } = await person.say('/start');
      assert.match(text, expected);
      assert.match(text, /this is Sponsorgate/);
      assert.doesNotMatch(text, /[\u202a-\u202e]|\p{M}{3}/u);
    });
  }
});
