import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, payoutsOf, read } from '../bot/balance-labels.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { freshUser } from '../support/sandbox.ts';

const SEEN = {
  ru: {
    debtors: 'Должники',
    debtLine: (accountId: number) => new RegExp(`№${accountId}, Owner <b>: долг 50,00 ₽, в холде 0,00 ₽`),
    debit: 'Списать деньги',
    askDebit: /Сколько списать/,
    debitSummary: /Списать\?.*350,00 ₽.*Причина: фрод/s,
    debited: /Списано 350,00 ₽/,
    debitedAlready: /уже сделано/,
    freeze: 'Заморозить',
    release: 'Разморозить',
    frozenPage: /Вывод с аккаунта заморожен .*: проверка/,
    frozenPayout: /Выплата заморожена: проверка/,
    done: /Заморожено/,
    lifted: /Разморожено/,
    refused: /Сначала снимите заморозку/,
    unchanged: /Уже сделано/,
    ownerTold: /Вывод с аккаунта приостановлен оператором/,
    noOrder: /Такого заказа нет/,
    stop: 'Остановить заказ',
    resume: 'Возобновить заказ',
    stoppedPage: /Остановлен оператором .*: жалоба/,
    reverse: 'Отменить подписки',
    week: 'Неделя',
    preview: /Подписок с .*: 2, издателей: 1.*потеряют 14,00 ₽, из них уже закреплено 0,00 ₽.*вернётся 20,00 ₽/is,
    sure: /Отменить подписок: 2 на 14,00 ₽\?.*Причина: накрутка/s,
    reversed: /Отменено подписок: 2 на 14,00 ₽/,
    reversedAlready: /Эта отмена уже сделана/,
    nothing: /Отменять нечего/,
    log: /Подписки отменены: отмена №\d+ · 14,00 ₽ · × 2 · order \d+ · накрутка/,
    stopLog: /Заказ возобновлён: заказ №\d+.*Заказ остановлен: заказ №\d+ · жалоба/s,
    freezeLog: /Выплата разморожена: .*Выплата заморожена: выплата №\d+ · проверка.*Выводы с аккаунта разморожены/s,
    debitLog: /Деньги списаны: аккаунт №\d+ · 350,00 ₽ · фрод/,
  },
  en: {
    debtors: 'Debtors',
    debtLine: (accountId: number) => new RegExp(`No\\. ${accountId}, Owner <b>: owes ₽50\\.00, ₽0\\.00 in hold`),
    debit: 'Debit money',
    askDebit: /How much\?/,
    debitSummary: /Debit this\?.*₽350\.00.*Reason: фрод/s,
    debited: /₽350\.00 debited/,
    debitedAlready: /debited already/,
    freeze: 'Freeze',
    release: 'Release',
    frozenPage: /Withdrawals frozen .*: проверка/,
    frozenPayout: /The payout is frozen: проверка/,
    done: /Frozen/,
    lifted: /Released/,
    refused: /Lift the freeze first/,
    unchanged: /Done already/,
    ownerTold: /operator has suspended withdrawals/,
    noOrder: /There is no such order/,
    stop: 'Stop the order',
    resume: 'Resume the order',
    stoppedPage: /Stopped by an operator .*: жалоба/,
    reverse: 'Reverse subscriptions',
    week: 'A week',
    preview: /Subscriptions since .*: 2, publishers: 1.*lose ₽14\.00, of which ₽0\.00 is settled.*get ₽20\.00 back/s,
    sure: /Reverse 2 subscriptions worth ₽14\.00\?.*Reason: накрутка/s,
    reversed: /Reversed 2 subscriptions worth ₽14\.00/,
    reversedAlready: /reversed already/,
    nothing: /nothing to reverse/,
    log: /Subscriptions reversed: reversal \d+ · ₽14\.00 · × 2 · order \d+ · накрутка/,
    stopLog: /Order resumed: order \d+.*Order stopped: order \d+ · жалоба/s,
    freezeLog: /Payout released: .*Payout frozen: payout \d+ · проверка.*Withdrawals of the account released/s,
    debitLog: /Money debited: account \d+ · ₽350\.00 · фрод/,
  },
} as const;

describe('an operator who suspects fraud', () => {
  const service = useService({ OPERATOR_IDS });

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`debits an account once, with a reason, and sees it among the debtors (${labels.language})`, async () => {
      const { sandbox } = service;
      const { accountId } = await ownerWith(sandbox, labels, 300);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(accountId));
      assert.match(read(await operator.press(seen.debit)), seen.askDebit);
      await operator.say('350');
      const summary = await operator.say('фрод');
      assert.match(read(summary), seen.debitSummary);
      assert.equal(await sandbox.kopecks('available', accountId), 30_000);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.debited);
      await operator.forge(dataBehind(summary, labels.yes));
      assert.match(await noticeOf(operator), seen.debitedAlready);
      assert.equal(await sandbox.kopecks('available', accountId), -5_000);
      assert.match(read(await openPart(operator, labels, seen.debtors)), seen.debtLine(accountId));
      assert.match(await logOf(operator, labels), seen.debitLog);
      await sandbox.assertBalanced();
    });

    it(`freezes the withdrawals of an account and a payout, and lifts both (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { accountId, person } = await ownerWith(sandbox, labels, 700);
      const payouts = payoutsOf(database.db);
      const request = { accountId, amountKopecks: 30_000n, method: 'manual', destination: 'card' } as const;
      const requested = await payouts.request({ ...request, key: 'a' });
      assert.ok(requested.kind === 'requested');
      const { id } = requested.payout;

      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(accountId));
      await operator.press(seen.freeze);
      const sure = await operator.say('проверка');
      assert.match(read(await operator.press(labels.yes)), seen.frozenPage);
      assert.match(await noticeOf(operator), seen.done);
      await operator.forge(dataBehind(sure, labels.yes));
      assert.match(await noticeOf(operator), seen.unchanged);
      assert.deepEqual(await payouts.request({ ...request, key: 'b' }), { kind: 'withdrawals_frozen' });
      await openPart(operator, labels, labels.payouts, `${id} ·`, labels.approve, labels.yes);
      assert.match(await noticeOf(operator), seen.refused);
      await openPart(operator, labels, labels.accounts);
      await operator.say(String(accountId));
      await operator.go(seen.release, labels.yes);
      assert.match(await noticeOf(operator), seen.lifted);

      await openPart(operator, labels, labels.payouts, `${id} ·`, seen.freeze);
      await operator.say('проверка');
      assert.match(read(await operator.press(labels.yes)), seen.frozenPayout);
      await operator.go(labels.approve, labels.yes);
      assert.match(await noticeOf(operator), seen.refused);
      await operator.go(seen.release, labels.yes);
      await operator.go(labels.approve, labels.yes);
      assert.equal((await payouts.find(id))?.status, 'approved');
      assert.match(await logOf(operator, labels), seen.freezeLog);
      assert.equal(await person.isWaiting(), false);
    });

    it(`stops an order until an operator resumes it, and reverses its subscriptions once (${labels.language})`, async () => {
      const { sandbox } = service;
      const publisher = await ownerWith(sandbox, labels);
      const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5 });
      for (const user of [freshUser(), freshUser()]) await sandbox.subscribe(publisher.token, order, user);
      const operator = await operatorAt(sandbox, labels);
      const status = async () => (await sandbox.order(order.orderId)).status;
      await operator.press(labels.moderation);
      assert.match(read(await operator.say('999999')), seen.noOrder);
      await operator.say(String(order.orderId));
      await operator.press(seen.stop);
      await operator.say('жалоба');
      assert.match(read(await operator.press(labels.yes)), seen.stoppedPage);
      assert.equal(await status(), 'paused');
      await sandbox.call('POST', `/sandbox/orders/${order.orderId}/resume`);
      assert.equal(await status(), 'paused');
      await operator.go(seen.resume, labels.yes);
      assert.equal(await status(), 'active');
      assert.match(await logOf(operator, labels), seen.stopLog);

      await openPart(operator, labels, labels.moderation);
      await operator.say(String(order.orderId));
      await operator.press(seen.reverse);
      assert.match(read(await operator.press(seen.week)), seen.preview);
      const question = await operator.say('накрутка');
      assert.match(read(question), seen.sure);
      assert.equal(await sandbox.kopecks('hold', publisher.accountId), 1_400);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.reversed);
      await operator.forge(dataBehind(question, labels.yes));
      assert.match(await noticeOf(operator), seen.reversedAlready);
      assert.equal(await sandbox.kopecks('hold', publisher.accountId), 0);
      assert.equal(await sandbox.kopecks('escrow', order.orderId), 5_000);
      await openPart(operator, labels, labels.moderation);
      await operator.say(String(order.orderId));
      await operator.press(seen.reverse);
      assert.match(read(await operator.press(seen.week)), seen.nothing);
      assert.match(await logOf(operator, labels), seen.log);
      await sandbox.assertBalanced();
    });
  }
});
