import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { journeyLanguages } from './journey-languages.ts';
import { LANGUAGES, newTelegramBot, publisherWithBot, tokenIn } from './publisher-labels.ts';

const WORDS = {
  ru: {
    menu: 'Сообщения через бота',
    give: 'Дать токен',
    replace: 'Заменить токен',
    remove: 'Удалить токен',
    isOff: /Токена нет/,
    isOn: /Токен есть/,
    noToken: /неотправленное.*У нас нет токена/s,
    userRefused: /неотправленное.*не запускал бота/s,
    otherBot: /другого бота/,
  },
  en: {
    menu: 'Messages through the bot',
    give: 'Give the token',
    replace: 'Replace the token',
    remove: 'Delete the token',
    isOff: /There is no token/,
    isOn: /We have the token/,
    noToken: /not sent.*We do not have the token/s,
    userRefused: /not sent.*has not started the bot/s,
    otherBot: /another bot/,
  },
};

for (const labels of journeyLanguages(LANGUAGES)) {
  const words = labels.language === 'ru' ? WORDS.ru : WORDS.en;

  describe(`gate messages through the publisher's bot (${labels.language})`, () => {
    const service = useService();

    it('are sent with the token that the owner gives, and the screen says why one was not sent', async () => {
      const { sandbox } = service;
      const { person, bot, botId } = await publisherWithBot(sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      await sandbox.advertise();
      const check = async (user: number) =>
        (await sandbox.call('POST', '/compat/flyer/check', { key: token, user_id: user })).body;
      const open = () => person.go(`@${bot.username}`, labels.settings, words.menu);
      const fromStart = async () => {
        await person.say('/start');
        await person.press(labels.myBots);
        return open();
      };

      assert.match((await fromStart()).text, words.isOff);
      assert.equal((await check(freshUser())).skip, true);
      assert.match((await fromStart()).text, words.noToken);

      await person.press(words.give);
      assert.match((await person.say('no token at all')).text, /^⚠️/);
      assert.match((await person.say(`1:${'A'.repeat(35)}`)).text, /^⚠️/);
      const other = await newTelegramBot(sandbox);
      assert.match((await person.say(other.token)).text, words.otherBot);
      const saved = await person.say(bot.token);
      assert.match(saved.text, words.isOn);
      assert.doesNotMatch(saved.text, words.noToken, 'the old reason is gone');
      assert.ok((await person.messages()).every(({ text }) => !text.includes(bot.token)));
      assert.ok(!service.logs().includes(bot.token));

      assert.equal((await check(freshUser())).skip, true, 'this user has not started the bot');
      assert.match((await fromStart()).text, words.userRefused);
      const user = freshUser();
      await sandbox.control('POST', `/persons/${user}/messages`, { bot: bot.username, text: '/start' });
      assert.deepEqual(await check(user), { skip: false });

      await person.go(words.remove, labels.no);
      assert.equal(await hasToken(botId), true, 'asking changes nothing');
      assert.match((await person.go(words.remove, labels.yes)).text, words.isOff);
      assert.equal(await hasToken(botId), false);
    });

    const hasToken = async (botId: number): Promise<boolean> =>
      (await service.database.db.query('SELECT 1 FROM bot_telegram_tokens WHERE bot_id = $1', [botId])).length === 1;
  });
}
