import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { arrive, buttonsOf, LANGUAGES, newTelegramBot, publisherWithBot, tokenIn } from '../bot/publisher-labels.ts';
import type { SeenMessage } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';

const WORDS = {
  ru: {
    hour: '1 ч',
    odd: '1 ч 30 мин',
    on: 'вкл.',
    off: 'выкл.',
    channels: 'Каналы',
    bots: 'Боты',
    hide: 'Скрыть заказ',
  },
  en: {
    hour: '1 h',
    odd: '1 h 30 min',
    on: 'on',
    off: 'off',
    channels: 'Channels',
    bots: 'Bots',
    hide: 'Hide an order',
  },
};

for (const labels of LANGUAGES) {
  const words = labels.language === 'ru' ? WORDS.ru : WORDS.en;

  describe(`the settings of a bot (${labels.language})`, () => {
    const service = useService();

    /** Returns the text after the colon of the button that starts with the sign. */
    const value = (menu: SeenMessage, sign: string): string | undefined =>
      buttonsOf(menu)
        .find((label) => label.startsWith(sign))
        ?.split(': ')[1];

    const settings = async (botId: number) => {
      const [row] = await service.database.db.query<{
        max_sponsors: number;
        round_seconds: number;
        excluded_order_ids: bigint[];
        excluded_resource_types: string[];
        collects_profiles: boolean;
      }>('SELECT * FROM bots WHERE id = $1', [botId]);
      assert.ok(row);
      return row;
    };

    it('tasks per round are chosen or typed, and limit a get-sponsors without max_sponsors', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      await person.go(labels.saved, labels.back, labels.settings, '📋');
      assert.equal(value(await person.press('10'), '📋'), '10');
      await person.press('📋');
      for (const wrong of ['0', '51', '2.5', '-1', 'a few', '9'.repeat(40), '👍']) {
        assert.match((await person.say(wrong)).text, /^⚠️/, wrong);
      }
      assert.equal(value(await person.say(' 2 '), '📋'), '2');
      assert.equal((await settings(botId)).max_sponsors, 2);
      for (let i = 0; i < 3; i++) await service.sandbox.advertise();
      assert.equal((await service.sandbox.getSponsors(token, freshUser())).length, 2);
    });

    it('an unknown ads_id gets 404, or 200 with a warning while that is switched on', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      const confirm = () =>
        service.sandbox.api(token, 'confirm-subscription', { user_id: freshUser(), ads_id: 999_999_999 });
      assert.equal((await confirm()).status, 404);
      await person.go(labels.saved, labels.back, labels.settings, '🩹');
      assert.equal(value(await person.press('🟢'), '🩹'), words.on);
      const { status, body } = await confirm();
      assert.deepEqual([status, body.status, body.code], [200, 'warning', 'order_not_found']);
      await person.press('🩹');
      assert.equal(value(await person.press('🔴'), '🩹'), words.off);
      assert.equal((await confirm()).status, 404);
    });

    it('the length of a round is chosen or typed in minutes, from five minutes to three days', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      await person.go(labels.settings, '⏱');
      assert.equal(value(await person.press(words.hour), '⏱'), words.hour);
      assert.equal((await settings(botId)).round_seconds, 3600);
      await person.press('⏱');
      for (const wrong of ['4', '4321', 'ten minutes']) assert.match((await person.say(wrong)).text, /^⚠️/, wrong);
      assert.equal(value(await person.say('90'), '⏱'), words.odd);
      assert.equal((await settings(botId)).round_seconds, 5400);
    });

    it('profile collection can be switched on and off', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      assert.equal(value(await person.press(labels.settings), '🧭'), words.off);
      await person.press('🧭');
      assert.equal(value(await person.press(labels.switchOn), '🧭'), words.on);
      assert.equal((await settings(botId)).collects_profiles, true);
      await person.press('🧭');
      assert.equal(value(await person.press(labels.switchOff), '🧭'), words.off);
    });

    it('one resource type can be excluded, but not both', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      await person.go(labels.settings, '🚫');
      assert.ok(buttonsOf(await person.press(words.bots)).includes(`❌ ${words.bots}`));
      assert.deepEqual((await settings(botId)).excluded_resource_types, ['bot']);
      await person.press(words.channels);
      assert.equal((await person.notice())?.show_alert, true);
      assert.deepEqual((await settings(botId)).excluded_resource_types, ['bot']);
      assert.ok(buttonsOf(await person.press(words.bots)).includes(`✅ ${words.bots}`));
      assert.deepEqual((await settings(botId)).excluded_resource_types, []);
    });

    it('an order is hidden by its ads_id and shown again after a press', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      const { orderId } = await service.sandbox.advertise({ title: 'Casino <b>& co' });
      await person.go(labels.saved, labels.back, labels.settings, '🙈', words.hide);
      for (const wrong of ['0', 'abc', '99999999']) assert.match((await person.say(wrong)).text, /^⚠️/, wrong);
      const list = await person.say(`№ ${orderId}`);
      assert.ok(buttonsOf(list).some((label) => label.includes(`${orderId} · Casino <b>& co`)));
      assert.deepEqual((await settings(botId)).excluded_order_ids, [BigInt(orderId)]);
      const user = freshUser();
      assert.deepEqual(await service.sandbox.getSponsors(token, user), []);
      await person.press('Casino');
      assert.equal((await service.sandbox.getSponsors(token, user)).length, 1);
    });

    it('a long list of bots has pages and shows which bots are off', async () => {
      const person = await arrive(service.sandbox, labels);
      for (let i = 0; i < 9; i++) {
        await person.go(labels.myBots, labels.addBot, labels.byToken);
        await person.say((await newTelegramBot(service.sandbox)).token);
        if (i === 8) await person.go(labels.switchOff, labels.yes);
        await person.say('/start');
      }
      const bots = (menu: SeenMessage): string[] => buttonsOf(menu).filter((label) => label.includes('@'));
      const first = await person.press(labels.myBots);
      assert.equal(bots(first).length, 8);
      const second = await person.press('▶️');
      assert.equal(bots(second).length, 1);
      assert.match(bots(second)[0] ?? '', /^🔴/);
      assert.deepEqual(bots(await person.press('◀️')), bots(first));
    });
  });
}
