import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LANGUAGES, publisherWithBot, tokenIn } from '../bot/publisher-labels.ts';
import { freshUser } from '../support/sandbox.ts';

const WORDS = {
  ru: {
    none: /Ни один заказ этому пользователю сейчас не подходит/,
    some: /Подходящих заказов: 1/,
    onlyShown: /Новых заданий для него нет/,
    noOrders: /нет активных заказов/,
    member: /пользователь уже подписан: 1/,
    language: /Язык интерфейса: 2/,
    premium: /Telegram Premium: 1/,
    isOff: /Бот выключен/,
    hidden: /скрывает себя/,
  },
  en: {
    none: /No order fits this user right now/,
    some: /Orders that fit: 1/,
    onlyShown: /No new tasks for them/,
    noOrders: /no active orders/,
    member: /the user has subscribed already: 1/,
    language: /Interface language: 2/,
    premium: /Telegram Premium: 1/,
    isOff: /The bot is off/,
    hidden: /does not show who they are/,
  },
};

for (const labels of LANGUAGES) {
  const words = labels.language === 'ru' ? WORDS.ru : WORDS.en;

  describe(`why no tasks? (${labels.language})`, () => {
    const service = useService();

    it('lists for a typed id how many orders each reason and each filter removed', async () => {
      const { sandbox } = service;
      const { person, bot } = await publisherWithBot(sandbox, labels);
      const user = freshUser();
      await person.press(labels.why);
      assert.match((await person.say(String(user))).text, words.noOrders);

      const joined = await sandbox.advertise();
      await sandbox.join(joined.chatId, user);
      await sandbox.advertise({ filters: { languages: ['fr'] } });
      await sandbox.advertise({ filters: { languages: ['de'] } });
      await sandbox.advertise({ filters: { premium: true } });
      await person.press('🔎');
      const { text } = await person.say(String(user));
      assert.ok(text.includes(String(user)) && text.includes(`@${bot.username}`), text);
      for (const expected of [words.none, words.member, words.language, words.premium]) assert.match(text, expected);
      // The reason that removed most orders comes first.
      assert.ok(text.search(words.language) < text.search(words.premium));
    });

    it('accepts a forwarded message of the user, and asks for the id when the message hides the user', async () => {
      const { sandbox } = service;
      const { person } = await publisherWithBot(sandbox, labels);
      const { user_id: user } = await sandbox.control('POST', '/users', { first_name: 'Anna' });
      await sandbox.advertise();
      await person.press(labels.why);
      assert.match((await person.forward('your bot shows nothing', { name: 'Anna' })).text, words.hidden);
      for (const wrong of ['@anna', '-5', '0', 'abc', '1'.repeat(13)]) {
        assert.match((await person.say(wrong)).text, /^⚠️/, wrong);
      }
      const { text } = await person.forward('your bot shows nothing', user);
      assert.ok(text.includes(String(user)), text);
      assert.match(text, words.some);
    });

    it('does not claim that no order fits when the user has open tasks', async () => {
      const { sandbox } = service;
      const { person } = await publisherWithBot(sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      await sandbox.advertise();
      const user = freshUser();
      assert.equal((await sandbox.getSponsors(token, user)).length, 1);
      await person.go(labels.saved, labels.back, labels.why);
      assert.match((await person.say(String(user))).text, words.onlyShown);
    });

    it('names the reason when the bot is switched off', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      await person.go(labels.saved, labels.back, labels.switchOff, labels.yes, labels.why);
      assert.match((await person.say('12345')).text, words.isOff);
      assert.equal((await service.sandbox.api(token, 'get-sponsors', { user_id: 12_345 })).status, 401);
    });
  });
}
