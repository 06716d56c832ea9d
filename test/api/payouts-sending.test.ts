import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { CryptoPayFault } from '../support/crypto-pay-double.ts';
import { MoneyDesk } from '../support/money-desk.ts';
import { range } from '../support/users.ts';

/** Longer than any lease or pause between attempts, and shorter than the time for which an outcome may stay unknown. */
const SOON_SECONDS = 11 * 60;

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
beforeEach(() => desk.bank.heal());
after(() => desk.close());

test('an approved payout is sent in the asset at the current rate, rounded down, and the rate is stored', async () => {
  const person = await desk.person(100_000n);
  const payoutId = await desk.approved(person, 100_000n);
  assert.equal(await desk.payouts.sendApproved(), 1);
  await desk.assertSentOnce(payoutId, person);
  const [transfer] = desk.bank.transfersOf(person.telegramUserId);
  // 1000 rubles at a rate of 92.5 rubles are 10.81081081…
  assert.equal(transfer?.amount, '10.81081');
  assert.equal(transfer?.asset, 'USDT');
  assert.deepEqual((await desk.payouts.find(payoutId))?.quote, { asset: 'USDT', rate: '92.5', amount: '10.81081' });
  const [event] = await desk.events(person.accountId, 'payout.sent');
  assert.equal(event?.provider, 'crypto-pay');
  assert.equal(event?.reference, String(transfer?.transfer_id));
  assert.equal(await desk.payouts.sendApproved(), 0, 'it was taken up again');
});

test('requested and manual payouts are not sent', async () => {
  const person = await desk.person(100_000n);
  await desk.requested(person, 50_000n);
  const manual = await desk.requested(person, 50_000n, 'manual');
  await desk.payouts.approve({ payoutId: manual, operatorId: 7 });
  const callsBefore = desk.bank.calls.length;
  assert.equal(await desk.payouts.sendApproved(), 0);
  assert.deepEqual(desk.bank.transfersOf(person.telegramUserId), []);
  assert.equal(desk.bank.calls.length, callsBefore, 'the provider is not even asked for a rate');
});

const UNKNOWN: readonly [string, CryptoPayFault][] = [
  ['the provider sent it and its answer never came', { mode: 'hang', done: 'after' }],
  ['the provider never answered and had not sent it', { mode: 'hang', done: 'before' }],
  ['the connection was cut after it was sent', { mode: 'cut', done: 'after' }],
  ['the connection was cut before it was sent', { mode: 'cut', done: 'before' }],
  ['the provider sent it and answered 500', { mode: 'error_500', done: 'after' }],
  ['the provider answered 500 and had not sent it', { mode: 'error_500', done: 'before' }],
  ['the provider sent it and answered something else than JSON', { mode: 'garbage', done: 'after' }],
  ['the provider sent it and answered JSON that says nothing', { mode: 'wrong_shape', done: 'after' }],
];
for (const [name, fault] of UNKNOWN) {
  test(`${name}: the payout stays in \`sending\` with its money and is sent exactly once`, async () => {
    const person = await desk.person(20_000n);
    const payoutId = await desk.approved(person, 20_000n);
    desk.bank.fail('transfer', fault);
    await desk.payouts.sendApproved();
    assert.equal(await desk.statusOf(payoutId), 'sending');
    assert.equal(await desk.kopecks('payout', payoutId), 20_000);
    assert.deepEqual(await desk.payouts.reject({ payoutId, reason: 'impatience' }), {
      kind: 'not_allowed',
      status: 'sending',
    });
    assert.equal(await desk.payouts.sendApproved(), 0, 'it was tried again at once');

    desk.bank.rate = '50';
    desk.clock.advance(SOON_SECONDS);
    await desk.payouts.sendApproved();
    desk.bank.rate = '92.5';
    await desk.assertSentOnce(payoutId, person);
    assert.equal(desk.bank.transfersOf(person.telegramUserId)[0]?.amount, '2.162162', 'a repeat sent another amount');
  });
}

test('a payout with a used spend id stays in `sending` until the list of transfers contains its transfer', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'hang', done: 'after' });
  await desk.payouts.sendApproved();
  desk.bank.showsTransfers = false;
  for (const _ of range(4)) {
    desk.clock.advance(SOON_SECONDS); // in total longer than the time for which an outcome may stay unknown
    await desk.payouts.sendApproved();
    assert.equal(await desk.statusOf(payoutId), 'sending');
    assert.equal(await desk.kopecks('payout', payoutId), 20_000);
  }
  desk.bank.showsTransfers = true;
  desk.clock.advance(SOON_SECONDS);
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});

test('a provider outage of a day only delays a payout', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'error_500', done: 'before' }, 1_000);
  desk.bank.fail('getTransfers', { mode: 'error_500', done: 'before' }, 1_000);
  for (const _ of range(6)) {
    await desk.payouts.sendApproved();
    desk.clock.advance(4 * 3600);
  }
  assert.equal(await desk.statusOf(payoutId), 'sending');
  assert.equal(await desk.kopecks('payout', payoutId), 20_000);
  desk.bank.heal();
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});

test('a payout that the provider refuses fails, and its money returns to the balance', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'refuse', name: 'USER_NOT_FOUND' });
  await desk.payouts.sendApproved();
  const payout = await desk.payouts.find(payoutId);
  assert.equal(payout?.status, 'failed');
  assert.equal(payout?.reason, 'USER_NOT_FOUND');
  assert.equal(await desk.kopecks('available', person.accountId), 20_000);
  desk.clock.advance(SOON_SECONDS);
  assert.equal(await desk.payouts.sendApproved(), 0);
  assert.deepEqual(desk.bank.transfersOf(person.telegramUserId), []);
  assert.deepEqual(await desk.events(person.accountId, 'payout.sent'), []);
  await desk.assertBooks();
});

for (const [name, code] of [
  ['NOT_ENOUGH_COINS', 400],
  ['UNAUTHORIZED', 401],
  ['METHOD_DISABLED', 403],
] as const) {
  test(`${name}: the payout stays approved, can be rejected, and is sent when the cause is fixed`, async () => {
    const person = await desk.person(20_000n);
    const payoutId = await desk.approved(person, 20_000n);
    desk.bank.fail('transfer', { mode: 'refuse', name, code }, 2);
    await desk.payouts.sendApproved();
    const waiting = await desk.payouts.find(payoutId);
    assert.equal(waiting?.status, 'approved');
    assert.equal(waiting?.lastError, name);
    assert.equal(waiting?.quote, null, 'the rate of the refused attempt would be used again');
    assert.equal(await desk.payouts.sendApproved(), 0, 'it was tried again at once');

    const other = await desk.person(20_000n);
    const rejected = await desk.approved(other, 20_000n);
    await desk.payouts.sendApproved();
    assert.deepEqual(await desk.payouts.reject({ payoutId: rejected, reason: 'no coins' }), { kind: 'done' });
    assert.equal(await desk.kopecks('available', other.accountId), 20_000);

    desk.clock.advance(SOON_SECONDS);
    await desk.payouts.sendApproved();
    await desk.assertSentOnce(payoutId, person);
    assert.deepEqual(desk.bank.transfersOf(other.telegramUserId), []);
  });
}

test('a refusal does not return the money while an earlier attempt may still be carried out', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'hang', done: 'before' });
  await desk.payouts.sendApproved();
  desk.bank.fail('transfer', { mode: 'refuse', name: 'USER_NOT_FOUND' }, 2);
  desk.clock.advance(SOON_SECONDS);
  await desk.payouts.sendApproved();
  assert.equal(await desk.statusOf(payoutId), 'sending');
  assert.equal(await desk.kopecks('payout', payoutId), 20_000);

  desk.clock.advance(SOON_SECONDS); // the first attempt can no longer be in progress
  await desk.payouts.sendApproved();
  assert.equal(await desk.statusOf(payoutId), 'failed');
  assert.equal(await desk.kopecks('available', person.accountId), 20_000);
  await desk.assertBooks();
});

test('without an exchange rate no payout is sent or changed', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('getExchangeRates', { mode: 'error_500', done: 'before' }, 3);
  assert.equal(await desk.payouts.sendApproved(), 0);
  assert.equal(await desk.statusOf(payoutId), 'approved');
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});

test('a payout too small for one unit of the asset waits and does not block others', async () => {
  const person = await desk.person(10_000n);
  const payoutId = await desk.approved(person, 10_000n);
  const { rate } = desk.bank;
  desk.bank.rate = '999999999999';
  assert.equal(await desk.payouts.sendApproved(), 0);
  assert.equal(desk.bank.transfersOf(person.telegramUserId).length, 0);
  const waiting = await desk.payouts.find(payoutId);
  assert.deepEqual([waiting?.status, waiting?.attempts, waiting?.quote], ['approved', 0, null]);
  assert.match(waiting?.lastError ?? '', /no amount of USDT/);
  desk.bank.rate = rate;
  assert.equal(await desk.payouts.sendApproved(), 0, 'it is put off for a while');
  desk.clock.advance(3600);
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});

test('a failed getExchangeRates request is retried and delays no payout', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('getExchangeRates', { mode: 'cut', done: 'before' }, 2);
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});

test('a payout that always fails does not block other payouts', async () => {
  const cursed = await desk.person(20_000n);
  const cursedId = await desk.approved(cursed, 20_000n);
  desk.bank.fail('transfer', { mode: 'error_500', done: 'before' });
  await desk.payouts.sendApproved();
  const people = await Promise.all(range(5).map(() => desk.person(20_000n)));
  const ids: number[] = [];
  for (const person of people) ids.push(await desk.approved(person, 20_000n));
  assert.equal(await desk.payouts.sendApproved(), 5);
  for (const [i, person] of people.entries()) await desk.assertSentOnce(ids[i] ?? 0, person);
  assert.equal(await desk.statusOf(cursedId), 'sending');
});
