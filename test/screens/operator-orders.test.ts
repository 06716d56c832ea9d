import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, read, said } from '../bot/balance-labels.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const SEEN = {
  ru: {
    told: /Заказ №\d+ «News» ждёт проверки/,
    first: /Первый заказ владельца для этого ресурса/,
    changed:
      /Прошлый заказ для этого ресурса: №\d+, отклонён\. Что изменилось:.*заголовок: News → Better news.*цена: 10,00 ₽ → 12,00 ₽/s,
    running: 'Идущие заказы',
    stop: 'Остановить заказ',
    stopped: /Остановлен оператором .*: фрод/,
    correct: 'Исправить зачисление',
    corrected: /снято встречной записью/,
    already: /уже сделано/,
    log: /Деньги списаны: аккаунт №\d+ · 500,00 ₽ · не туда/,
    creditMoney: 'Зачислить деньги',
  },
  en: {
    told: /Order \d+ “News” waits for moderation/,
    first: /The owner’s first order for this resource/,
    changed:
      /The previous order for this resource: \d+, rejected\. What has changed:.*title: News → Better news.*price: ₽10\.00 → ₽12\.00/s,
    running: 'Running orders',
    stop: 'Stop the order',
    stopped: /Stopped by an operator .*: фрод/,
    correct: 'Correct a credit',
    corrected: /counter-entry took the credit back/,
    already: /debited already/,
    log: /Money debited: account \d+ · ₽500\.00 · не туда/,
    creditMoney: 'Credit money',
  },
} as const;

describe('an operator and orders', () => {
  const service = useService({ OPERATOR_IDS, ORDER_MODERATION: 'on' });

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`gets a message when an order waits, and sees what changed since the last one (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      const { accountId } = await ownerWith(sandbox, labels, 500);
      const { token } = await sandbox.publisher({
        account_id: accountId,
        beta: true,
        username: `b${freshUser()}_bot`,
      });
      const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
      const order = { name: 'News', link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5 };
      const { body: first } = await sandbox.api(token, 'orders', order);
      await sandbox.advance(1);
      await eventually('the operator is told', async () => (await said(operator, seen.told)).length === 1);
      await openPart(operator, labels, labels.moderation);
      assert.match(read(await operator.press(String(first.order_id))), seen.first);
      await operator.press(labels.reject);
      await operator.say('спам');
      await operator.press(labels.yes);

      const { body: second } = await sandbox.api(token, 'orders', {
        ...order,
        title: 'Better news',
        price_per_sub: 12,
      });
      await openPart(operator, labels, labels.moderation);
      assert.match(read(await operator.press(String(second.order_id))), seen.changed);
    });

    it(`lists running orders and stops one with a reason (${labels.language})`, async () => {
      const { sandbox } = service;
      const { orderId } = await sandbox.advertise({ quantity: 5 });
      const operator = await operatorAt(sandbox, labels);
      await openPart(operator, labels, seen.running, String(orderId), seen.stop);
      await operator.say('фрод');
      assert.match(read(await operator.press(labels.yes)), seen.stopped);
      assert.equal((await sandbox.order(orderId)).status, 'paused');
      const list = await openPart(operator, labels, seen.running);
      assert.ok(!list.buttons.flat().some((label) => label.includes(`${orderId} `)), String(list.buttons));
    });

    it(`takes back a mistaken credit once, by a counter-entry with a reason (${labels.language})`, async () => {
      const { sandbox } = service;
      const { accountId } = await ownerWith(sandbox, labels);
      const operator = await operatorAt(sandbox, labels);
      const platform = await sandbox.kopecks('platform', 0).catch(() => 0);
      await operator.press(labels.accounts);
      await operator.say(String(accountId));
      await operator.press(seen.creditMoney);
      await operator.say('500');
      await operator.say('чек 1');
      await operator.press(labels.yes);
      assert.equal(await sandbox.kopecks('available', accountId), 50_000);

      await operator.go(seen.correct, 'чек 1');
      const question = await operator.say('не туда');
      assert.equal(await sandbox.kopecks('available', accountId), 50_000, 'not before it was asked about');
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.corrected);
      await operator.forge(dataBehind(question, labels.yes));
      assert.match(await noticeOf(operator), seen.already);
      assert.equal(await sandbox.kopecks('available', accountId), 0);
      assert.equal(await sandbox.kopecks('platform', 0).catch(() => 0), platform, 'the platform earns nothing from it');
      assert.match(await logOf(operator, labels), seen.log);
      await sandbox.assertBalanced();
    });
  }
});
