import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LANGUAGES, publisherWithBot, tokenIn } from '../bot/publisher-labels.ts';
import { type Person, plain, type SeenMessage } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';

const DAY_SECONDS = 24 * 60 * 60;
const WORDS = {
  ru: {
    page: /Подписчиков: 1\n.*Доход: 7,00 ₽\n.*Сегодня: \+2, отменено 1 · 7,00 ₽/,
    week: /Засчитано: 2, отменено: 1\n.*Доход: 7,00 ₽/,
    nothing: /Засчитано: 0, отменено: 0\n.*Доход: 0,00 ₽/,
  },
  en: {
    page: /Subscribers: 1\n.*Revenue: ₽7\.00\n.*Today: \+2, 1 reversed · ₽7\.00/,
    week: /Counted: 2, reversed: 1\n.*Revenue: ₽7\.00/,
    nothing: /Counted: 0, reversed: 0\n.*Revenue: ₽0\.00/,
  },
};

const isPicture = ({ photo }: SeenMessage): boolean => photo === true;

/** Returns the newest matching message. A notice of a reversal can follow the menu. */
async function newest(person: Person, isIt: (message: SeenMessage) => boolean): Promise<SeenMessage> {
  const found = (await person.messages()).findLast(isIt);
  assert.ok(found, 'there is no such message');
  return found;
}

for (const labels of LANGUAGES) {
  const words = labels.language === 'ru' ? WORDS.ru : WORDS.en;

  describe(`the figures of a bot (${labels.language})`, () => {
    const service = useService();

    it('count rewards and reversals on its page and in the charts of 7 and 30 days', async () => {
      const { sandbox } = service;
      const { person } = await publisherWithBot(sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      const order = await sandbox.advertise({ price_per_sub: 10 });
      const [staying, leaving] = [freshUser(), freshUser()];
      await sandbox.subscribe(token, order, staying);
      await sandbox.subscribe(token, order, leaving);
      await sandbox.leave(order.chatId, leaving);

      await person.go(labels.saved, labels.back);
      const page = await newest(person, ({ buttons }) => buttons.flat().some((label) => label.includes(labels.why)));
      assert.match(plain(page.text), words.page);
      await person.press(labels.statistics);
      assert.match(plain((await newest(person, isPicture)).text), words.week);

      await sandbox.advance(8 * DAY_SECONDS);
      await person.go(labels.back, labels.statistics);
      assert.match(plain((await newest(person, isPicture)).text), words.nothing);
      await person.press(labels.month);
      assert.match(plain((await newest(person, isPicture)).text), words.week);
      // The chart from eight days ago is too old to be deleted, so the bot removed its buttons.
      const pictures = (await person.messages()).filter((message) => isPicture(message) && message.buttons.length > 0);
      assert.equal(pictures.length, 1, 'a picture takes the place of the one before');
    });
  });
}
