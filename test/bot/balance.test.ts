import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { indebt } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { LANGUAGES, ownerWith, payoutsOf, read } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';

const HISTORY = {
  ru: [
    /\+10 000,00 ₽\nПополнение/,
    /-50,00 ₽\nОплата заказа, заказ № \d+/,
    /\+7,00 ₽ \(холд\)\nВознаграждение, в холде, заказ № \d+, бот № \d+/,
    /\+7,00 ₽\nВыход из холда, заказ № \d+/,
    /\+7,00 ₽\nВознаграждение, заказ/,
    /-7,00 ₽\nСписано: пользователь ушёл, заказ/,
    /-500,00 ₽\nЗапрос выплаты, выплата № \d+/,
    /\+500,00 ₽\nВозврат выплаты, выплата № \d+/,
  ],
  en: [
    /\+₽10,000\.00\nDeposit/,
    /-₽50\.00\nOrder paid for, order no\. \d+/,
    /\+₽7\.00 \(hold\)\nReward, in hold, order no\. \d+, bot no\. \d+/,
    /\+₽7\.00\nLeft hold, order no\. \d+/,
    /\+₽7\.00\nReward, order/,
    /-₽7\.00\nTaken back: the user left, order/,
    /-₽500\.00\nPayout requested, payout no\. \d+/,
    /\+₽500\.00\nPayout returned, payout no\. \d+/,
  ],
};

describe('the balance', () => {
  const service = useService();

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`shows available, held and unsettled money, and a debt (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { person, token } = await ownerWith(sandbox, labels, 100);
      assert.match(read(await person.press(labels.balance)), labels.available('100.00'));
      const order = await sandbox.advertise();
      for (const user of [freshUser(), freshUser()]) await sandbox.subscribe(token, order, user);
      await person.say('/start');
      const held = read(await person.press(labels.balance));
      assert.match(held, labels.inHold('14.00'));

      const [poor, atOnce, user] = [
        await ownerWith(sandbox, labels),
        await sandbox.advertise({ hold_hours: 0 }),
        freshUser(),
      ];
      await sandbox.subscribe(poor.token, atOnce, user);
      assert.match(read(await poor.person.press(labels.balance)), labels.notSettled);
      await sandbox.leave(atOnce.chatId, user);
      await indebt(database.db, poor.accountId, 700n);
      await poor.person.say('/start');
      assert.match(read(await poor.person.press(labels.balance)), labels.debt);
      assert.equal(await poor.person.isWaiting(), false);
    });

    it(`shows when rewards leave hold, with one sum per time (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { person, token, accountId } = await ownerWith(sandbox, labels);
      const order = await sandbox.advertise();
      for (const user of [freshUser(), freshUser()]) await sandbox.subscribe(token, order, user);
      await database.db.query(
        `UPDATE tasks SET release_at = (SELECT max(release_at) FROM tasks WHERE account_id = $1)
         WHERE account_id = $1 AND state = 'held'`,
        [accountId],
      );
      assert.match(read(await person.press(labels.balance)), labels.leavesHold);
    });

    it(`describes every transfer in words (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person, token, accountId } = await ownerWith(sandbox, labels, 10_000);
      await sandbox.advertise({ account_id: accountId, price_per_sub: 5, quantity: 10 });
      const [held, atOnce, left] = [await sandbox.advertise(), await sandbox.advertise({ hold_hours: 0 }), freshUser()];
      await sandbox.pauseAllOrders();
      for (const [order, user] of [
        [held, freshUser()],
        [atOnce, left],
      ] as const) {
        await sandbox.control('POST', `/orders/${order.orderId}/resume`);
        await sandbox.subscribe(token, order, user);
        await sandbox.control('POST', `/orders/${order.orderId}/pause`);
      }
      await sandbox.leave(atOnce.chatId, left);
      await sandbox.advance(25 * 3600);
      await person.go(labels.balance, labels.withdraw);
      await person.say('500');
      await person.say('2200');
      await person.press(labels.yes);
      const [payout] = await payoutsOf(service.database.db).list({ accountId, limit: 1 });
      await payoutsOf(service.database.db).reject({ payoutId: payout?.id ?? 0, reason: 'no' });
      await person.say('/start');
      const page = read(await person.go(labels.balance, labels.history));
      for (const line of HISTORY[labels.language as 'ru' | 'en']) assert.match(page, line);
    });
  }

  it('has a history whose pages neither repeat nor skip transfers while money moves', async () => {
    const { sandbox } = service;
    const { person } = await ownerWith(sandbox, { language: 'en' });
    const pay = async (rubles: number) => {
      await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: rubles });
    };
    for (let rubles = 1; rubles <= 20; rubles++) await pay(rubles);
    const amounts = (text: string): number[] => [...text.matchAll(/\+₽(\d+)\.00/g)].map(([, digits]) => Number(digits));
    const first = amounts(read(await person.go('Balance', 'History')));
    assert.deepEqual(first, [20, 19, 18, 17, 16, 15, 14, 13]);
    await pay(21);
    assert.deepEqual(amounts(read(await person.press('▶️'))), [12, 11, 10, 9, 8, 7, 6, 5]);
    await pay(22);
    assert.deepEqual(amounts(read(await person.press('▶️'))), [4, 3, 2, 1]);
    assert.deepEqual(amounts(read(await person.press('◀️'))), [12, 11, 10, 9, 8, 7, 6, 5]);
    assert.deepEqual(amounts(read(await person.press('◀️'))), [22, 21, 20, 19, 18, 17, 16, 15]);
  });
});
