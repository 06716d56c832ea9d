import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { MoneyDesk, type Person } from '../support/money-desk.ts';
import { type SteppingWorker, startWorker } from './stepping.ts';

const SOON_SECONDS = 11 * 60;
const AMOUNT = 20_000n;

let desk: MoneyDesk;
let worker: SteppingWorker | undefined;
before(async () => {
  desk = await MoneyDesk.open();
});
afterEach(() => worker?.kill());
after(() => desk.close());

/** Asserts that the next worker alone finds the payout and completes it. */
async function assertRecovers(person: Person, payoutId: number, killedBefore: string): Promise<void> {
  desk.clock.advance(SOON_SECONDS);
  await eventually(`the payout is sent, killed before ${killedBefore}`, async () => {
    await desk.payouts.sendApproved();
    return (await desk.statusOf(payoutId)) === 'sent';
  });
  const transfers = desk.bank.transfersOf(person.telegramUserId);
  assert.equal(transfers.length, 1, `sent ${transfers.length} times, killed before ${killedBefore}`);
  assert.equal((await desk.payouts.find(payoutId))?.reference, String(transfers[0]?.transfer_id));
  assert.equal(await desk.kopecks('available', person.accountId), 0);
  assert.equal(await desk.kopecks('external', person.accountId), 0);
  assert.equal(
    (await desk.events(person.accountId, 'payout.sent')).length,
    1,
    `told once, killed before ${killedBefore}`,
  );
}

/** Kills a worker before each step, with a new payout each time, until a worker has recorded the payout as sent. */
async function killAtEveryStep(prepare: () => Promise<readonly [Person, number]>): Promise<string[]> {
  const stops: string[] = [];
  for (;;) {
    const [person, payoutId] = await prepare();
    worker = startWorker(desk, 'payouts', stops.length);
    const stoppedBefore = await worker.stoppedBefore;
    assert.ok(stoppedBefore, `the worker ended after ${stops.length} steps without having sent the payout`);
    const status = await desk.statusOf(payoutId);
    const isTransferred = desk.bank.transfersOf(person.telegramUserId).length > 0;
    assert.ok(!isTransferred || status === 'sending' || status === 'sent', `sent while ${status}: ${stoppedBefore}`);
    await worker.kill();
    stops.push(stoppedBefore);
    await assertRecovers(person, payoutId, stoppedBefore);
    if (status === 'sent') return stops;
  }
}

test('a worker killed before any step of sending a payout neither loses nor repeats it', async (t) => {
  const stops = await killAtEveryStep(async () => {
    const person = await desk.person(AMOUNT);
    return [person, await desk.approved(person, AMOUNT)];
  });
  t.diagnostic(`${stops.length} steps: ${stops.join('; ')}`);
  for (const expected of [
    'calling transfer',
    'reading the answer of transfer',
    'COMMIT',
    'UPDATE payouts SET status',
  ]) {
    assert.ok(stops.includes(expected), `never stopped before ${expected}`);
  }
  await desk.assertBooks();
});

test('a worker killed before any step of resolving a payout in doubt neither loses nor repeats it', async (t) => {
  const stops = await killAtEveryStep(async () => {
    const person = await desk.person(AMOUNT);
    const payoutId = await desk.approved(person, AMOUNT);
    desk.bank.fail('transfer', { mode: 'error_500', done: 'before' });
    await desk.payouts.sendApproved();
    assert.equal(await desk.statusOf(payoutId), 'sending');
    desk.clock.advance(SOON_SECONDS);
    return [person, payoutId];
  });
  t.diagnostic(`${stops.length} steps: ${stops.join('; ')}`);
  for (const expected of ['calling getTransfers', 'calling transfer', 'reading the answer of transfer']) {
    assert.ok(stops.includes(expected), `never stopped before ${expected}`);
  }
  await desk.assertBooks();
});

test('a worker killed after the provider sent the money and before its response causes no second transfer', async () => {
  const person = await desk.person(AMOUNT);
  const payoutId = await desk.approved(person, AMOUNT);
  desk.bank.fail('transfer', { mode: 'hang', done: 'after' });
  worker = startWorker(desk, 'payouts');
  const isSent = (): boolean => desk.bank.transfersOf(person.telegramUserId).length === 1;
  await eventually('the provider has sent it', isSent);
  await worker.kill();
  assert.equal(await desk.statusOf(payoutId), 'sending');
  assert.equal(await desk.kopecks('payout', payoutId), Number(AMOUNT));
  await assertRecovers(person, payoutId, 'the answer');
});

test('while a worker hangs with a claimed payout, other workers send the rest and skip that one', async () => {
  const held = await desk.person(AMOUNT);
  const heldId = await desk.approved(held, AMOUNT);
  worker = startWorker(desk, 'payouts', 6);
  assert.equal(await worker.stoppedBefore, 'COMMIT'); // the claim is written, and the transaction holds its locks
  const free = await desk.person(AMOUNT);
  const freeId = await desk.approved(free, AMOUNT);
  await desk.payouts.sendApproved();
  assert.equal(await desk.statusOf(freeId), 'sent');
  assert.notEqual(await desk.statusOf(heldId), 'sent');
  const locks = await query(
    desk.url,
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  assert.deepEqual(locks, [], 'somebody waits for the hanging worker');
  await worker.kill();
  await assertRecovers(held, heldId, 'COMMIT');
});
