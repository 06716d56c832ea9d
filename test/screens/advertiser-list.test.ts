import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moderateOrder } from '../../src/modules/orders/index.ts';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES } from '../bot/advertiser-labels.ts';
import { answerTheRest, arrive, orderChannel, orderIdIn, ordersOf, says, startOrder } from '../bot/advertiser-setup.ts';

for (const language of LANGUAGES) {
  describe(`the orders of a person, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    it('are listed in pages, newest first, without orders of other accounts', async () => {
      const { sandbox } = service;
      const [olga, pavel] = [await arrive(sandbox, language), await arrive(sandbox, language)];
      await sandbox.advertise({ account_id: pavel.accountId, price_per_sub: 1, quantity: 1, title: 'Another one’s' });
      for (let number = 1; number <= 10; number++) {
        await sandbox.advertise({
          account_id: olga.accountId,
          price_per_sub: 1,
          quantity: 1,
          title: `Mine ${number}.`,
        });
      }
      const titlesOn = (buttons: readonly (readonly string[])[]): string[] =>
        buttons.flat().flatMap((label) => /🟢 \S+ (.+) · 0\/1$/.exec(label)?.[1] ?? []);
      await olga.person.say('/start');
      const first = await olga.person.press(labels.orders);
      assert.deepEqual(
        titlesOn(first.buttons),
        [10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Mine ${number}.`),
      );
      const second = await olga.person.press('▶️');
      assert.deepEqual(titlesOn(second.buttons), ['Mine 2.', 'Mine 1.']);
      assert.deepEqual((await olga.person.press('◀️')).buttons, first.buttons);
    });

    it('can advertise a channel without an owner, as the sandbox creates them', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'Of the sandbox' });
      await startOrder(olga, 'channel');
      says(await olga.person.say(link), said.title);
      await answerTheRest(olga);
      says(await olga.person.press(labels.create), said.active);
    });

    it('show a title with markup and wide characters unchanged', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { orderId } = await orderChannel(sandbox, olga, { title: `<i>&${'👨‍👩‍👧 wide '.repeat(18)}` });
      assert.equal((await ordersOf(sandbox, olga.accountId))[0]?.order_id, orderId);
      says(await olga.person.menu(), /<i>&👨‍👩‍👧 wide/);
    });
  });
}

describe('an order that an operator rejects', () => {
  const service = useService({ ORDER_MODERATION: 'on' });

  it('shows its owner the reason and the refund', async () => {
    const { sandbox } = service;
    const olga = await arrive(sandbox, 'ru', 1_000);
    await orderChannel(sandbox, olga);
    const orderId = orderIdIn(await olga.person.menu());
    assert.equal(await sandbox.kopecks('available', olga.accountId), 0);
    const moderation = { kind: 'reject', reason: 'Название вводит <в заблуждение>' } as const;
    await service.database.db.transaction((tx) => moderateOrder(tx, { orderId, moderation, at: new Date() }));
    const page = await olga.person.press('Обновить');
    says(page, /🚫 отклонён\nПричина: Название вводит <в заблуждение>\nОператор отклонил заказ, деньги вернулись/);
    assert.equal(await sandbox.kopecks('available', olga.accountId), 100_000);
    assert.ok(!page.buttons.flat().some((label) => label.includes(LABELS.ru.resume)));
  });
});
