import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES } from '../bot/advertiser-labels.ts';
import {
  answerTheRest,
  arrive,
  letIn,
  orderIdIn,
  ordersOf,
  ownChannel,
  says,
  startOrder,
  throwOut,
} from '../bot/advertiser-setup.ts';
import { plain } from '../support/person.ts';

for (const language of LANGUAGES) {
  describe(`the questions of a new order, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    async function atTitle(deposit?: number) {
      const olga = await arrive(service.sandbox, language, deposit);
      const channel = await ownChannel(service.sandbox, olga.person);
      await startOrder(olga, 'channel');
      await letIn(service.sandbox, olga.person, channel);
      return { olga, person: olga.person, channel };
    }

    it('are repeated with an explanation after an invalid answer', async () => {
      const { person } = await atTitle();
      says(await person.say('x'.repeat(129)), said.tooLong);
      says(await person.say('  My   title '), said.price);
      for (const wrong of ['dear', '-5', '1.234', '1e3']) says(await person.say(wrong), said.wrongAmount);
      for (const wrong of ['0,99', '0', '100001']) says(await person.say(wrong), said.priceOutside);
      says(await person.say('₽4.50'), said.quantity);
      for (const wrong of ['0', '-1', '1.5', 'many', '10000001']) says(await person.say(wrong), said.wrongCount);
      says(await person.say('200'), said.limit);
      for (const wrong of ['0', '201', 'few']) says(await person.say(wrong), said.wrongCount);
      says(await person.say('50'), said.pace);
      says(await person.press(labels.evenly), said.hours);
      for (const wrong of ['morning', '9', '25-26', '9:30-12']) says(await person.say(wrong), said.wrongHours);
      says(await person.say('22-6'), said.hold);
      for (const wrong of ['721', 'long', '-1']) says(await person.say(wrong), said.wrongCount);
      says(await person.press(labels.next), said.users);
      says(await person.press(labels.next), /My title.*4[.,]50.*200.*50.*22:00–6:00/s);
    });

    it('keep their answers when the person goes back', async () => {
      const { olga, person } = await atTitle();
      says(await answerTheRest(olga, { price: '20', quantity: '50' }), said.summary);
      for (const question of [said.users, said.hold, said.hours, said.limit, said.quantity, said.price, said.title]) {
        says(await person.press(labels.back), question);
      }
      says(await person.press(labels.keepAnswer), /20[.,]00.*50.*1[ ,]000[.,]00/s);
      says(await person.press(labels.price), said.price);
      says(await person.say('30'), /1[ ,]500[.,]00/);
    });

    it('continue where the person left them', async () => {
      const { person } = await atTitle();
      await person.press(labels.keepTitle);
      await person.press(labels.cancel);
      assert.match((await person.notice())?.text ?? '', said.draftKept);
      says(await person.press(labels.continueDraft), said.price);
      await person.say('/start');
      await person.go(labels.orders, labels.newOrder);
      says(await person.press(labels.startOver), said.whatToAdvertise);
    });

    it('show the missing amount and continue after a deposit', async () => {
      const { olga, person } = await atTitle(500);
      const summary = await answerTheRest(olga, { price: '10', quantity: '100' });
      says(summary, said.missing);
      assert.ok(!summary.buttons.flat().some((label) => label.includes(labels.create)));
      await person.press(labels.deposit);
      await service.sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 500 });
      await person.say('/start');
      await person.go(labels.orders, labels.continueDraft);
      says(await person.press(labels.create), said.active);
      assert.equal(await service.sandbox.kopecks('available', olga.accountId), 0);
    });

    it('create one order when “create” is pressed repeatedly, and none when the money is spent', async () => {
      const { olga, person } = await atTitle(1_500);
      const summary = await answerTheRest(olga);
      const [button] = summary.keyboard.flat() as { callback_data?: string }[];
      const data = button?.callback_data ?? '';
      await Promise.all([person.forge(data), person.forge(data)]);
      const page = await person.menu();
      assert.equal(orderIdIn(await person.forge(data)), orderIdIn(page));
      assert.equal((await ordersOf(service.sandbox, olga.accountId)).length, 1);
      assert.equal(await service.sandbox.kopecks('available', olga.accountId), 50_000);

      await startOrder(olga, 'channel');
      await person.press('Evening news');
      const other = await answerTheRest(olga, { quantity: '50' });
      says(other, said.summary);
      await service.sandbox.advertise({ account_id: olga.accountId, price_per_sub: 10, quantity: 50 });
      says(await person.press(labels.create), said.missing);
      assert.equal((await ordersOf(service.sandbox, olga.accountId)).length, 2);
      await service.sandbox.assertBalanced();
    });

    it('return to the channel when the service bot was removed meanwhile', async () => {
      const { olga, person, channel } = await atTitle();
      await answerTheRest(olga);
      await throwOut(service.sandbox, person, channel);
      const back = await person.press(labels.create);
      says(back, said.notAdmin);
      says(back, said.addAsAdmin);
      assert.deepEqual(await ordersOf(service.sandbox, olga.accountId), []);
      says(await letIn(service.sandbox, person, channel), said.title);
      await person.press(labels.keepTitle);
      says(await person.press(labels.create), said.active);
    });

    it('keep the draft when Telegram is unreachable at the end', async () => {
      const { olga, person } = await atTitle();
      await answerTheRest(olga);
      await service.sandbox.fault({ mode: 'down', method: 'getChatMember' });
      await person.press(labels.create);
      assert.match((await person.notice())?.text ?? '', /Telegram/);
      await service.sandbox.fault({ mode: 'none' });
      says(await person.press(labels.create), said.active);
      assert.match(plain((await person.menu()).text), /Evening news/);
    });
  });
}

describe('a new order with moderation', () => {
  const service = useService({ ORDER_MODERATION: 'on' });

  it('waits for an operator and cannot be started by its owner', async () => {
    const { says: said, ...labels } = LABELS.ru;
    const olga = await arrive(service.sandbox, 'ru');
    const channel = await ownChannel(service.sandbox, olga.person);
    await startOrder(olga, 'channel');
    await letIn(service.sandbox, olga.person, channel);
    says(await answerTheRest(olga), /сначала посмотрит оператор/);
    const page = await olga.person.press(labels.create);
    says(page, said.moderation);
    await olga.person.forge(`o.go:${orderIdIn(page)}`);
    assert.match((await olga.person.notice())?.text ?? '', /нынешнем статусе/);
    const [order] = await ordersOf(service.sandbox, olga.accountId);
    assert.equal(order?.status, 'moderation');
  });
});
