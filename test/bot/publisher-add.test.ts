import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { journeyLanguages } from './journey-languages.ts';
import {
  arrive,
  buttonsOf,
  LANGUAGES,
  newTelegramBot,
  publisherWithBot,
  type TelegramBot,
} from './publisher-labels.ts';

for (const labels of journeyLanguages(LANGUAGES)) {
  describe(`adding a bot (${labels.language})`, () => {
    const service = useService();

    /** Renames the bot, as its owner does with BotFather. */
    const rename = async ({ token }: TelegramBot, name: string): Promise<void> => {
      const answer = await service.sandbox.call('POST', `/sandbox/telegram/bot${token}/setMyName`, { name });
      assert.equal(answer.body.result, true);
    };

    const codeIn = (text: string): string => {
      const code = /SG-[2-9A-Z]{6}/.exec(text)?.[0];
      assert.ok(code, text);
      return code;
    };

    it('by its token opens the page of the bot, which names the next step', async () => {
      const person = await arrive(service.sandbox, labels);
      const bot = await newTelegramBot(service.sandbox);
      assert.match((await person.press(labels.myBots)).text, labels.emptyList);
      assert.match((await person.press(labels.addBot)).text, labels.notKept);
      await person.press(labels.byToken);
      const page = await person.say(`Use this token: ${bot.token}\nKeep it secure`);
      assert.match(page.text, new RegExp(`@${bot.username}`));
      assert.match(page.text, labels.nextStep);
      assert.ok(buttonsOf(page).some((label) => label.includes(labels.apiToken)));
      assert.match((await person.go(labels.back, `@${bot.username}`)).text, labels.noToken);
    });

    it('leaves the token neither in the chat nor in the database nor in the log', async () => {
      const { person, bot } = await publisherWithBot(service.sandbox, labels);
      const [, secret = ''] = bot.token.split(':');
      assert.ok((await person.messages()).every(({ text }) => !text.includes(secret)));
      assert.ok(!service.logs().includes(secret));
      const kept = await service.database.db.query<{ text: string }>(
        'SELECT d::text AS text FROM bot_dialogues d UNION ALL SELECT k::text FROM idempotency_keys k',
      );
      assert.ok(kept.length > 0 && kept.every(({ text }) => !text.includes(secret)));
    });

    it('asks again with an explanation when the token is missing or wrong, or Telegram does not reply', async () => {
      const person = await arrive(service.sandbox, labels);
      const bot = await newTelegramBot(service.sandbox);
      const asked = await person.go(labels.myBots, labels.addBot, labels.byToken);
      const wrong = [
        'at_what_is_this',
        '1234567:tooshort',
        `${bot.token}x`,
        `999999999:${'A'.repeat(35)}`,
        '<b>&"\'`\u202e 🤖',
      ];
      for (const text of wrong) {
        const again = await person.say(text);
        assert.ok(again.text.startsWith('⚠️') && again.text.includes(asked.text), `${text} → ${again.text}`);
      }
      for (const mode of ['down', 'too_many_requests'] as const) {
        await service.sandbox.fault({ mode, method: 'getMe' });
        assert.match((await person.say(bot.token)).text, /^⏳/);
        await service.sandbox.fault({ mode: 'none' });
      }
      assert.match((await person.say(bot.token)).text, labels.nextStep, 'the question still stands');
    });

    it('by forwarding accepts only a bot with the code in its name', async () => {
      const person = await arrive(service.sandbox, labels);
      const bot = await newTelegramBot(service.sandbox);
      const asked = await person.go(labels.myBots, labels.addBot, labels.byForward);
      const code = codeIn(asked.text);
      const attempts = [
        () => person.say(`I am the owner, ${code}`),
        // Anyone can make a bot repeat the code, so its text proves nothing.
        () => person.forward(`You said: ${code}`, bot.username),
        () => person.forward(code, person.id),
        () => person.forward(code, { name: `Quiz ${code}` }),
      ];
      for (const attempt of attempts) {
        const again = await attempt();
        assert.ok(again.text.startsWith('⚠️') && codeIn(again.text) === code, again.text);
      }
      await rename(bot, `Quiz ${code.toLowerCase()}`);
      const page = await person.forward('Hello there', bot.username);
      assert.match(page.text, labels.nextStep);
      assert.match(page.text, new RegExp(`@${bot.username}`));
    });

    it('keeps the code until the person requests another, which makes the first invalid', async () => {
      const person = await arrive(service.sandbox, labels);
      const bot = await newTelegramBot(service.sandbox);
      const first = codeIn((await person.go(labels.myBots, labels.addBot, labels.byForward)).text);
      assert.equal(codeIn((await person.go(labels.cancel, labels.byForward)).text), first);
      const second = codeIn((await person.press(labels.anotherCode)).text);
      assert.notEqual(second, first);
      await rename(bot, first);
      assert.match((await person.forward('Hello', bot.username)).text, /^⚠️/);
    });

    it('of another account is refused, and adding an own bot again opens its page', async () => {
      const { person: owner, bot } = await publisherWithBot(service.sandbox, labels);
      const other = await arrive(service.sandbox, labels);
      await other.go(labels.myBots, labels.addBot, labels.byToken);
      const refusal = await other.say(bot.token);
      assert.match(refusal.text, /^🙅/);
      assert.ok(!buttonsOf(refusal).some((label) => label.includes(labels.apiToken)));
      assert.match((await other.press(labels.back)).text, labels.emptyList);

      await owner.go(labels.back, labels.addBot, labels.byToken);
      const page = await owner.say(bot.token);
      assert.match(page.text, /^☝️/);
      assert.ok(buttonsOf(page).some((label) => label.includes(labels.apiToken)));
      const list = await owner.press(labels.back);
      assert.equal(buttonsOf(list).filter((label) => label.includes('@')).length, 1);
    });
  });
}
