import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { dataBehind, earnFromOneself, ownerWith, payoutsOf, read, said } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from './operator-labels.ts';

const SEEN = {
  ru: {
    page: /Выплата №\d+ · 🕓 ждёт решения.*Сумма: 300,00 ₽.*Владелец: аккаунт №\d+, Owner <b>.*Получатель: card <1>/s,
    sure: /Одобрить выплату №\d+ на 300,00 ₽\?/,
    approved: /Выплата одобрена/,
    sentPage: /✅ отправлена.*Подтверждение: чек 77/s,
    rejectedPage: /🚫 отклонена.*Причина: нет карты/s,
    ownerSent: /Выплата №\d+ на 300,00 ₽ отправлена/,
    ownerReturned: /Выплата №\d+ не состоялась: нет карты/,
    log: /Выплата отклонена: выплата №\d+ · 300,00 ₽ · нет карты.*Выплата отправлена: выплата №\d+ · 300,00 ₽ · чек 77.*Выплата одобрена/s,
    review:
      /Баланс сейчас: 140,00 ₽.*Ещё не закреплено: 140,00 ₽ \(67\s% заработанного\).*Подписок: 3, из них отменено 34\s%.*Рекламодателей: 1.*аккаунт №\d+, .*: 210,00 ₽ \(100\s%, подписок 3\) ⚠️ тот же владелец/s,
    empty: /Выплат в очереди нет/,
    deposit: /Заявка на пополнение №\d+ · ждёт оплаты.*250,00 ₽.*Owner <b>/s,
    summary: /Зачислить\?.*250,00 ₽.*заявка на пополнение №\d+/s,
    otherSummary: /Зачислить\?.*199,00 ₽/s,
    closed: /уже ответили|уже зачислены/,
    declined: /Заявка закрыта/,
    declineLog: /Заявка на пополнение закрыта: заявка №\d+/,
    through: 'Через оператора',
    toDeposit: ['Баланс', 'Пополнить'],
  },
  en: {
    page: /Payout \d+ · 🕓 waits for a decision.*Amount: ₽300\.00.*Owner: account \d+, Owner <b>.*Recipient: card <1>/s,
    sure: /Approve payout \d+ of ₽300\.00\?/,
    approved: /The payout is approved/,
    sentPage: /✅ sent.*Reference: чек 77/s,
    rejectedPage: /🚫 rejected.*Reason: нет карты/s,
    ownerSent: /Payout \d+ of ₽300\.00 was sent/,
    ownerReturned: /нет карты/,
    log: /Payout rejected: payout \d+ · ₽300\.00 · нет карты.*Payout sent: payout \d+ · ₽300\.00 · чек 77.*Payout approved/s,
    review:
      /Balance now: ₽140\.00.*Not settled yet: ₽140\.00 \(67% of the rewards\).*Subscriptions: 3, 34% of them reversed.*Advertisers: 1.*account \d+, .*: ₽210\.00 \(100%, 3 subscriptions\) ⚠️ the same owner/s,
    empty: /No payout waits/,
    deposit: /Request to deposit \d+ · waits for the money.*₽250\.00.*Owner <b>/s,
    summary: /Credit this\?.*₽250\.00.*request to deposit \d+/s,
    otherSummary: /Credit this\?.*₽199\.00/s,
    closed: /answered already|credited already/,
    declined: /request is closed/,
    declineLog: /Request to deposit closed: request \d+/,
    through: 'Through an operator',
    toDeposit: ['Balance', 'Deposit'],
  },
} as const;

describe('payouts and deposits for operators', () => {
  const service = useService({ OPERATOR_IDS });

  async function requested(language: string) {
    const owner = await ownerWith(service.sandbox, { language }, 300);
    const payouts = payoutsOf(service.database.db);
    const request = { accountId: owner.accountId, amountKopecks: 30_000n, method: 'manual' } as const;
    const outcome = await payouts.request({ ...request, key: 'a', destination: 'card <1>' });
    assert.equal(outcome.kind, 'requested');
    return { ...owner, payoutId: outcome.kind === 'requested' ? outcome.payout.id : 0 };
  }

  const statusOf = async (payoutId: number) => (await payoutsOf(service.database.db).find(payoutId))?.status;

  for (const labels of journeyLanguages(LANGUAGES)) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`a payout shows the unsettled share, reversals and advertisers (${labels.language})`, async () => {
      const { sandbox } = service;
      const payout = await requested(labels.language);
      await earnFromOneself(sandbox, payout);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.payouts);
      assert.match(read(await operator.press(`${payout.payoutId} ·`)), seen.review);
      await operator.go(labels.reject);
      await operator.say('x');
      await operator.press(labels.yes);
    });

    it(`a payout is approved, marked as sent or rejected once, and its owner is notified (${labels.language})`, async () => {
      const { sandbox } = service;
      const [good, bad] = [await requested(labels.language), await requested(labels.language)];
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.payouts);
      assert.match(read(await operator.press(`${good.payoutId} ·`)), seen.page);
      const question = await operator.press(labels.approve);
      assert.match(read(question), seen.sure);
      assert.equal(await statusOf(good.payoutId), 'requested');
      await operator.press(labels.no);
      await operator.go(labels.approve, labels.yes);
      assert.match(await noticeOf(operator), seen.approved);
      await operator.forge(dataBehind(question, labels.yes));
      assert.match(await noticeOf(operator), labels.alreadyDone);

      await operator.press(labels.markSent);
      const proof = await operator.say('чек 77');
      assert.equal(await statusOf(good.payoutId), 'approved');
      assert.match(read(await operator.press(labels.yes)), seen.sentPage);
      await operator.forge(dataBehind(proof, labels.yes));
      assert.match(await noticeOf(operator), labels.alreadyDone);

      await operator.go(labels.queue, `${bad.payoutId} ·`, labels.reject);
      await operator.say('нет карты');
      assert.match(read(await operator.press(labels.yes)), seen.rejectedPage);
      assert.equal(await sandbox.kopecks('available', bad.accountId), 30_000);
      assert.match(await logOf(operator, labels), seen.log);
      assert.match(read(await openPart(operator, labels, labels.payouts)), seen.empty);
      await sandbox.advance(1);
      await eventually('the owners are told', async () => {
        const told = [await said(good.person, seen.ownerSent), await said(bad.person, seen.ownerReturned)];
        return told.every(({ length }) => length === 1);
      });
      await sandbox.assertBalanced();
    });

    it(`a deposit request is credited once, even by two operators at the same time (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      const otherLabels = LANGUAGES.find((one) => one !== labels) ?? labels;
      const other = await operatorAt(sandbox, otherLabels);
      const owner = await ownerWith(sandbox, labels);
      await owner.person.go(...seen.toDeposit, seen.through);
      await owner.person.say('250');
      const page = await operator.press(labels.credit);
      assert.match(read(page), seen.deposit);
      const summary = await operator.press(labels.credit);
      assert.match(read(summary), seen.summary);
      assert.equal(await sandbox.kopecks('available', owner.accountId), 0);
      await other.press(otherLabels.credit);
      await other.press(otherLabels.credit);
      await Promise.all([operator.press(labels.yes), other.press(otherLabels.yes)]);
      await operator.forge(dataBehind(summary, labels.yes));
      assert.equal(await sandbox.kopecks('available', owner.accountId), 25_000);
      await operator.forge(dataBehind(page, labels.credit));
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.closed);
      assert.equal(await sandbox.kopecks('available', owner.accountId), 25_000);
      await sandbox.assertBalanced();
    });

    it(`a deposit request is credited with the amount received, or declined (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      const [partly, never] = [await ownerWith(sandbox, labels), await ownerWith(sandbox, labels)];
      for (const { person } of [partly, never]) {
        await person.go(...seen.toDeposit, seen.through);
        await person.say('250');
      }
      await openPart(operator, labels, labels.deposits, `${partly.accountId} ·`, labels.otherAmount);
      assert.match(read(await operator.say('199')), seen.otherSummary);
      await operator.press(labels.yes);
      assert.equal(await sandbox.kopecks('available', partly.accountId), 19_900);

      const question = await openPart(operator, labels, labels.deposits, `${never.accountId} ·`, labels.decline);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.declined);
      await operator.forge(dataBehind(question, labels.yes));
      assert.match(await noticeOf(operator), labels.alreadyDone);
      assert.match(await logOf(operator, labels), seen.declineLog);
      assert.equal(await sandbox.kopecks('available', never.accountId), 0);
    });
  }

  it('the operator’s menu shows the number of waiting payouts and deposits', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const waiting = async () => {
      const { buttons } = await operator.press(labels.refresh);
      return buttons
        .flat()
        .flatMap((label) => /(?:Payouts|Deposits): (\d+)/.exec(label)?.[1] ?? [])
        .map(Number);
    };
    const before = await waiting();
    const { person } = await requested('en');
    await person.go('Balance', 'Deposit', 'Through an operator');
    await person.say('10');
    await openPart(operator, labels);
    assert.deepEqual(
      await waiting(),
      before.map((count) => count + 1),
    );
  });
});
