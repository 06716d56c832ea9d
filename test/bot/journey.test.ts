import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { LABELS } from './advertiser-labels.ts';
import { letIn, orderIdIn, ownChannel, says } from './advertiser-setup.ts';
import { LANGUAGES as BALANCE } from './balance-labels.ts';
import { CATEGORIES, NAMES } from './filter-labels.ts';
import { arrive, newTelegramBot, LANGUAGES as PUBLISHER, tokenIn } from './publisher-labels.ts';

for (const language of ['ru', 'en'] as const) {
  describe(`the whole flow up to a payout, in ${language}`, () => {
    const service = useService();
    const [publisher] = PUBLISHER.filter((labels) => labels.language === language);
    const [balance] = BALANCE.filter((labels) => labels.language === language);
    const { says: said, ...order } = LABELS[language];
    const [categories, names] = [CATEGORIES[language], NAMES[language]];

    it('a publisher earns from a filtered order of an advertiser and withdraws the reward', async () => {
      assert.ok(publisher !== undefined && balance !== undefined);
      const { sandbox } = service;

      // A publisher adds a bot and gets its token.
      const anna = await arrive(sandbox, publisher);
      const bot = await newTelegramBot(sandbox);
      await anna.go(publisher.myBots, publisher.addBot, publisher.byToken);
      await anna.say(bot.token);
      const token = tokenIn(await anna.go(publisher.apiToken, publisher.create));

      // An advertiser deposits money and orders subscribers for a channel, with five filters.
      const olga = await arrive(sandbox, publisher);
      await olga.go(balance.balance, balance.deposit);
      await olga.say('50 000');
      await olga.say('/start');
      await olga.go(order.orders, order.newOrder, order.channel);
      const channel = await ownChannel(sandbox, olga);
      await letIn(sandbox, olga, channel);
      await olga.press(order.keepTitle);
      await olga.say('200');
      await olga.say('50');
      await olga.go(order.noLimit, order.allDay, order.next);
      await olga.go(categories.geography, names.languages, language === 'ru' ? 'русский' : 'Russian');
      await olga.go(order.back, names.countries, language === 'ru' ? 'Россия' : 'Russia');
      await olga.go(order.back, order.back, categories.profile, names.age);
      await olga.say('18-35');
      await olga.go(order.back, order.back, categories.device, names.os, 'iOS');
      await olga.go(order.back, order.back, categories.quality, names.rating);
      await olga.say('3');
      await olga.go(order.back, order.back, order.next);
      const page = await olga.press(order.create);
      says(page, said.active);
      const orderId = orderIdIn(page);

      // The API returns the task only for a user who fits, and the publisher earns the reward.
      const [fitting, other] = [freshUser(), freshUser()];
      await sandbox.control('POST', `/profiles/${fitting}`, { country: 'RU', age: 30, os: 'iOS', rating: 5 });
      await sandbox.control('POST', `/profiles/${other}`, { country: 'RU', age: 30, os: 'Android', rating: 5 });
      const shownTo = async (user: number): Promise<boolean> =>
        (await sandbox.getSponsors(token, user, { language_code: 'ru' })).some(({ ads_id }) => ads_id === orderId);
      assert.deepEqual([await shownTo(fitting), await shownTo(other)], [true, false]);
      await sandbox.join(channel.chatId, fitting);
      assert.equal((await sandbox.confirm(token, fitting, orderId)).credited, 140);

      // A paused order is not shown to new users.
      await olga.press(order.pause);
      assert.equal(await shownTo(freshUser()), false);

      // A day later the reward is available, and the publisher withdraws it.
      await sandbox.advance(25 * 3600);
      await anna.say('/start');
      await anna.go(balance.balance, balance.withdraw, balance.all);
      await anna.say('2200 0000');
      await anna.press(balance.yes);
      assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
      const { balanced } = await sandbox.control('GET', '/ledger');
      assert.equal(balanced, true);
    });
  });
}
