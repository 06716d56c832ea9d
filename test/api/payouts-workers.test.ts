import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CryptoPay, createCryptoPay } from '../../src/modules/payouts/index.ts';
import { CRYPTO_PAY_TOKEN } from '../support/crypto-pay-double.ts';
import { eventually, gate } from '../support/eventually.ts';
import { MoneyDesk } from '../support/money-desk.ts';
import { bindPayouts } from '../support/money-use-cases.ts';
import { range } from '../support/users.ts';

/** Longer than any lease or pause between attempts, and shorter than the time for which an outcome may stay unknown. */
const SOON_SECONDS = 11 * 60;

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
after(() => desk.close());

test('eight simultaneous workers send each payout once', async () => {
  const people = await Promise.all(range(12).map(() => desk.person(20_000n)));
  const ids: number[] = [];
  for (const person of people) ids.push(await desk.approved(person, 20_000n));
  const workers = range(8).map(() => desk.openPayouts());
  await eventually('all payouts are sent', async () => {
    await Promise.all(workers.map((worker) => worker.sendApproved()));
    const payouts = await Promise.all(ids.map((id) => desk.payouts.find(id)));
    if (payouts.every((payout) => payout?.status === 'sent')) return true;
    // On a busy machine the provider may not respond in time. The next attempt is due after a pause.
    desk.clock.advance(SOON_SECONDS);
    return false;
  });
  for (const [i, person] of people.entries()) await desk.assertSentOnce(ids[i] ?? 0, person);
});

test('a worker with an expired lease and its successor send a payout once', async () => {
  for (const done of ['before', 'after'] as const) {
    const person = await desk.person(20_000n);
    const payoutId = await desk.approved(person, 20_000n);
    const before = desk.bank.called('transfer');
    desk.bank.fail('transfer', { mode: 'hang', done });
    const slow = desk.openPayouts().sendApproved();
    await eventually('the first worker waits for the provider', () => desk.bank.called('transfer') > before);
    desk.clock.advance(SOON_SECONDS);
    await Promise.all([slow, desk.openPayouts().sendApproved(), desk.openPayouts().sendApproved()]);
    await desk.assertSentOnce(payoutId, person);
  }
});

/** Returns a worker whose provider client has some methods replaced, to delay or change responses. */
function through(change: Partial<CryptoPay>) {
  const client = createCryptoPay({ apiRoot: desk.bank.url, token: CRYPTO_PAY_TOKEN });
  const cryptoPay = { client: { ...client, ...change }, asset: 'USDT' } as const;
  const { db } = desk.database;
  const worker = bindPayouts({ db, clock: desk.clock, minimumKopecks: 1n, cryptoPay });
  return { client, worker };
}

test('a refusal that arrives during an attempt of another worker returns no money', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  const first = { called: gate(), answers: gate() };
  const second = { called: gate(), answers: gate() };
  const late = through({
    async transfer() {
      first.called.open();
      await first.answers.promise;
      return { kind: 'refused', code: 400, name: 'USER_NOT_FOUND' };
    },
  });
  const taker = through({
    async transfer(order) {
      second.called.open();
      await second.answers.promise;
      return taker.client.transfer(order);
    },
  });
  const lateDone = late.worker.sendApproved();
  await first.called.promise;
  desk.clock.advance(SOON_SECONDS);
  const takerDone = taker.worker.sendApproved();
  await second.called.promise;
  first.answers.open();
  await lateDone;
  assert.equal(await desk.statusOf(payoutId), 'sending');
  assert.equal(await desk.kopecks('payout', payoutId), 20_000);
  second.answers.open();
  await takerDone;
  await desk.assertSentOnce(payoutId, person);
});

test('a transfer reported after a later attempt was refused counts as sent', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  const first = { called: gate(), answers: gate() };
  const late = through({
    async transfer(order) {
      first.called.open();
      await first.answers.promise;
      return late.client.transfer(order);
    },
  });
  const lateDone = late.worker.sendApproved();
  await first.called.promise;
  desk.clock.advance(60 * 60);
  desk.bank.fail('transfer', { mode: 'refuse', name: 'NOT_ENOUGH_COINS' });
  await desk.openPayouts().sendApproved();
  assert.equal(await desk.statusOf(payoutId), 'approved');
  first.answers.open();
  await lateDone;
  await desk.assertSentOnce(payoutId, person);
});

test('a worker that was suspended before its transfer request does not send it', async (t) => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'error_500', done: 'before' });
  await desk.payouts.sendApproved();
  desk.clock.advance(SOON_SECONDS);
  const calls = desk.bank.called('transfer');
  const realNow = performance.now.bind(performance);
  let slept = 0;
  t.mock.method(performance, 'now', () => realNow() + slept);
  const sleeper = through({
    async findTransfer() {
      slept = 60_000;
      return { kind: 'ok', result: undefined };
    },
  });
  await sleeper.worker.sendApproved();
  assert.equal(desk.bank.called('transfer'), calls);
  assert.equal(await desk.statusOf(payoutId), 'sending');
  t.mock.reset();
  desk.clock.advance(SOON_SECONDS);
  await desk.payouts.sendApproved();
  await desk.assertSentOnce(payoutId, person);
});
