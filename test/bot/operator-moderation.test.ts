import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { dataBehind, type Owner, ownerWith, read, said } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from './operator-labels.ts';

const SEEN = {
  ru: {
    page: /Заказ №\d+ · на проверке.*Владелец: аккаунт №\d+, Owner <b>.*Заголовок: News.*В Telegram: «News», @\w+, участников: 1, ID -100\d+.*10,00 ₽.*всего 50,00 ₽.*👥/s,
    approved: /одобрен и показывается/,
    ownerApproved: /Заказ №\d+ «News» одобрен/,
    ownerRejected: /Заказ №\d+ «News» отклонён: <b>спам<\/b>/,
    log: /Заказ отклонён: заказ №\d+ · <b>спам<\/b>.*Заказ одобрен: заказ №\d+/s,
    empty: /Все заказы проверены/,
    banned: /Владелец заблокирован/,
  },
  en: {
    page: /Order \d+ · .*Owner: account \d+, Owner <b>.*Title: News.*In Telegram: “News”, @\w+, members: 1, ID -100\d+.*₽10\.00.*in all ₽50\.00.*👥/s,
    approved: /approved and being shown/,
    ownerApproved: /Order \d+ “News” is approved/,
    ownerRejected: /Order \d+ “News” is rejected: <b>спам<\/b>/,
    log: /Order rejected: order \d+ · <b>спам<\/b>.*Order approved: order \d+/s,
    empty: /All orders are checked/,
    banned: /owner is banned/,
  },
} as const;

describe('moderation', () => {
  const service = useService({ OPERATOR_IDS, ORDER_MODERATION: 'on' });

  /** Creates a paid order that waits for moderation. */
  async function waitingOrder(language: string): Promise<Owner & { orderId: number; chatId: number }> {
    const { sandbox } = service;
    const owner = await ownerWith(sandbox, { language }, 100);
    const { token } = await sandbox.publisher({
      account_id: owner.accountId,
      beta: true,
      username: `b${freshUser()}_bot`,
    });
    const { chat_id: chatId, link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
    const order = { name: 'News', link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5 };
    const { status, body } = await sandbox.api(token, 'orders', order);
    assert.equal(status, 201, JSON.stringify(body));
    return { ...owner, orderId: body.order_id, chatId };
  }

  for (const labels of journeyLanguages(LANGUAGES)) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`approves an order or rejects it with a reason, and notifies its owner (${labels.language})`, async () => {
      const { sandbox } = service;
      const good = await waitingOrder(labels.language);
      const bad = await waitingOrder(labels.language);
      const operator = await operatorAt(sandbox, labels);
      assert.equal((await sandbox.getSponsors(good.token, freshUser())).length, 0);

      await operator.press(labels.moderation);
      assert.match(read(await operator.press(String(good.orderId))), seen.page);
      await operator.press(labels.approve);
      assert.match(await noticeOf(operator), seen.approved);
      assert.equal((await sandbox.order(good.orderId)).status, 'active');
      const other = await sandbox.publisher();
      const shown = await sandbox.getSponsors(other.token, freshUser());
      assert.deepEqual(
        shown.map(({ ads_id: id }) => id),
        [good.orderId],
      );

      await operator.go(labels.queue, String(bad.orderId), labels.reject);
      assert.match(read(await operator.say(' \n ')), labels.text300);
      assert.match(read(await operator.say('x'.repeat(301))), labels.text300);
      await operator.say('<b>спам</b>');
      assert.equal((await sandbox.order(bad.orderId)).status, 'moderation', 'not before it was asked about');
      await operator.press(labels.yes);
      assert.equal((await sandbox.order(bad.orderId)).status, 'rejected');
      assert.equal(await sandbox.kopecks('available', bad.accountId), 10_000, 'the money is back');

      assert.match(await logOf(operator, labels), seen.log);
      assert.match(read(await openPart(operator, labels, labels.moderation)), seen.empty);
      await sandbox.advance(1);
      await eventually('the owners are told', async () => {
        const [approved, rejected] = [
          await said(good.person, seen.ownerApproved),
          await said(bad.person, seen.ownerRejected),
        ];
        return approved.length === 1 && rejected.length === 1;
      });
    });

    it(`decides once: a repeated or a different decision changes nothing (${labels.language})`, async () => {
      const { sandbox } = service;
      const order = await waitingOrder(labels.language);
      const operator = await operatorAt(sandbox, labels);
      const page = await operator.go(labels.moderation, String(order.orderId));
      const approve = dataBehind(page, labels.approve);
      await operator.go(labels.reject);
      const yes = dataBehind(await operator.say('no'), labels.yes);
      await operator.forge(yes);
      for (const data of [approve, yes]) {
        await operator.forge(data);
        assert.match(await noticeOf(operator), labels.alreadyDone);
      }
      assert.equal((await sandbox.order(order.orderId)).status, 'rejected');
      const decisions = (await logOf(operator, labels)).match(new RegExp(`: (заказ №|order )${order.orderId}\\b`, 'g'));
      assert.equal(decisions?.length, 1, 'one decision in the log');
    });

    it(`does not approve an order of a banned owner (${labels.language})`, async () => {
      const { sandbox } = service;
      const order = await waitingOrder(labels.language);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(order.accountId));
      await operator.press(labels.ban);
      await operator.say('fraud');
      await operator.press(labels.yes);
      await openPart(operator, labels, labels.moderation, String(order.orderId), labels.approve);
      assert.match(await noticeOf(operator), seen.banned);
      assert.equal((await sandbox.order(order.orderId)).status, 'moderation');
      await operator.press(labels.reject);
      await operator.say('the owner is banned');
      await operator.press(labels.yes);
      assert.equal((await sandbox.order(order.orderId)).status, 'rejected');
    });
  }

  it('lists waiting orders in pages, oldest first, and skips none when one is decided meanwhile', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const orderIds: number[] = [];
    for (let i = 0; i < 10; i++) orderIds.push((await waitingOrder('en')).orderId);
    const operator = await operatorAt(sandbox, labels);
    const listed = ({ buttons }: { buttons: readonly (readonly string[])[] }): number[] =>
      buttons.flat().flatMap((label) => Number(/^No\. (\d+)/.exec(label)?.[1]) || []);
    const first = await operator.press(labels.moderation);
    assert.deepEqual(listed(first), orderIds.slice(0, 8));
    const next = dataBehind(first, '▶️');
    await operator.go(String(orderIds[0]), labels.approve);
    assert.deepEqual(listed(await operator.forge(next)), orderIds.slice(8));
    assert.deepEqual(listed(await operator.press('◀️')), orderIds.slice(1, 9));
  });
});
