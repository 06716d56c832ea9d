import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person } from '../support/person.ts';
import { dataBehind, LANGUAGES, ownerWith, payoutsOf, read, said } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';

const OPERATORS: Readonly<Record<string, number>> = { ru: 990_101, en: 990_102 };

describe('a withdrawal', () => {
  const service = useService({ OPERATOR_IDS: Object.values(OPERATORS).join(',') });

  const payoutCount = async (accountId: number): Promise<number> =>
    (await payoutsOf(service.database.db).list({ accountId, limit: 10 })).length;

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`explains wrong input, and notifies an operator after the confirmation (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await Person.arrive(sandbox, {
        user_id: OPERATORS[labels.language] ?? 0,
        language_code: labels.language,
      });
      await operator.say('/start');
      const { person, accountId } = await ownerWith(sandbox, labels, 500);

      assert.match(read(await person.go(labels.balance, labels.withdraw)), labels.askAmount);
      for (const [typed, answer] of [
        ['a lot', labels.wrongAmount],
        ['99.99', labels.belowMinimum],
        ['500.01', labels.aboveWithdrawable],
        ['250,50', labels.askDestination],
        ['x'.repeat(257), labels.wrongDestination],
        ['two\nlines', labels.wrongDestination],
        [labels.destination, labels.summary],
      ] as const) {
        assert.match(read(await person.say(typed)), answer, typed.slice(0, 20));
      }
      assert.equal(await payoutCount(accountId), 0, 'nothing has happened yet');
      assert.match(read(await person.press(labels.yes)), labels.requested);
      assert.equal(await sandbox.kopecks('available', accountId), 24_950);
      assert.match(read(await person.press(labels.payouts)), labels.waits);
      const [message] = await said(operator, labels.payoutTold);
      assert.ok(message !== undefined, 'the operator is told, in their own language');
      assert.match(dataBehind(message, labels.openPayout), /^op\.pay:\d+$/);
    });

    it(`takes the whole balance with one press, and nothing when cancelled (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person, accountId } = await ownerWith(sandbox, labels, 123.45);
      await person.go(labels.balance, labels.withdraw, labels.all);
      await person.say('2200');
      assert.match(read(await person.press(labels.no)), labels.available('123.45'));
      await person.go(labels.withdraw, labels.cancel);
      assert.equal(await payoutCount(accountId), 0);
      await person.go(labels.withdraw, labels.all);
      await person.say('2200');
      await person.press(labels.yes);
      assert.equal(await sandbox.kopecks('available', accountId), 0);
    });

    it(`shows the status of each payout, with the reason or the reference (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { person, accountId } = await ownerWith(sandbox, labels, 500);
      assert.match(read(await person.go(labels.balance, labels.payouts)), labels.empty);
      const payouts = payoutsOf(database.db);
      for (const key of ['a', 'b']) {
        await payouts.request({ accountId, key, amountKopecks: 20_000n, method: 'manual', destination: 'card' });
      }
      const [second, first] = await payouts.list({ accountId, limit: 2 });
      assert.ok(first && second);
      await payouts.reject({ payoutId: first.id, reason: 'нет такой карты' });
      await payouts.approve({ payoutId: second.id, operatorId: null });
      await payouts.markSent({ payoutId: second.id, reference: 'чек 12' });
      await person.say('/start');
      const page = read(await person.go(labels.balance, labels.payouts));
      assert.match(page, labels.rejected);
      assert.match(page, labels.sent);
    });

    it(`is refused when the balance is below the minimum (${labels.language})`, async () => {
      const { person } = await ownerWith(service.sandbox, labels, 99.99);
      assert.match(read(await person.go(labels.balance, labels.withdraw)), labels.tooLittle);
      assert.equal(await person.isWaiting(), false);
    });
  }

  it('happens once when the last button is pressed repeatedly, and shows the same payout each time', async () => {
    const { sandbox } = service;
    const { person, accountId } = await ownerWith(sandbox, { language: 'en' }, 1000);
    await person.go('Balance', 'Withdraw');
    await person.say('250.50');
    const yes = dataBehind(await person.say('card'), 'Yes');
    const first = read(await person.forge(yes));
    const taps = await Promise.all([person.forge(yes), person.forge(yes), person.forge(yes)]);
    assert.match(first, /is requested/);
    for (const tap of taps) assert.equal(read(tap), first);
    assert.equal(await payoutCount(accountId), 1);
    assert.equal(await sandbox.kopecks('available', accountId), 74_950);
  });

  it('is not confirmed by the button of an earlier summary or by another person', async () => {
    const { sandbox } = service;
    const { person, accountId } = await ownerWith(sandbox, { language: 'en' }, 1000);
    await person.go('Balance', 'Withdraw');
    await person.say('900');
    const old = dataBehind(await person.say('the wrong card'), 'Yes');
    await person.go('No', 'Withdraw');
    await person.say('100');
    await person.say('the right card');
    await person.forge(old);
    assert.match((await person.notice())?.text ?? '', /menu/);
    assert.equal(await payoutCount(accountId), 0);
    const stranger = await ownerWith(sandbox, { language: 'en' }, 1000);
    await stranger.person.forge(old);
    assert.equal(await payoutCount(stranger.accountId), 0);
  });

  it('is refused when the money was spent after the summary', async () => {
    const { sandbox } = service;
    const { person, accountId } = await ownerWith(sandbox, { language: 'en' }, 500);
    await person.go('Balance', 'Withdraw');
    await person.say('400');
    await person.say('card');
    await sandbox.advertise({ account_id: accountId, price_per_sub: 20, quantity: 10 });
    assert.match(read(await person.press('Yes')), /Only ₽300\.00 can be withdrawn/);
    assert.match(read(await person.say('300')), /Where to\?/);
  });
});
