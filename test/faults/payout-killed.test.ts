import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { MoneyDesk, type Person } from '../support/money-desk.ts';
import { runUntil, type Stepping } from './stepping.ts';

const SOON_SECONDS = 11 * 60;
const AMOUNT = 20_000n;

let desk: MoneyDesk;
let running: Stepping | undefined;
before(async () => {
  desk = await MoneyDesk.open();
});
afterEach(() => running?.kill());
after(() => desk.close());

/** Nobody helps but the next worker: it finds the payout and brings it to its end. */
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
  assert.equal((await desk.events(person.accountId, 'payout.sent')).length, 1, `told once, killed before ${killedBefore}`);
}

async function killAtEveryStep(prepare: () => Promise<readonly [Person, number]>): Promise<string[]> {
  const stops: string[] = [];
  for (let step = 0; ; step++) {
    const [person, payoutId] = await prepare();
    running = await runUntil(desk, 'payouts', step);
    const { stoppedBefore } = running;
    if (stoppedBefore !== undefined) {
      const status = await desk.statusOf(payoutId);
      const isTransferred = desk.bank.transfersOf(person.telegramUserId).length > 0;
      assert.ok(!isTransferred || status === 'sending' || status === 'sent', `sent while ${status}: ${stoppedBefore}`);
      await running.kill();
      stops.push(stoppedBefore);
    }
    await assertRecovers(person, payoutId, stoppedBefore ?? 'nothing');
    if (stoppedBefore === undefined) return stops;
  }
}

test('a worker killed before any step of sending a payout loses nothing and doubles nothing', async (t) => {
  const stops = await killAtEveryStep(async () => {
    const person = await desk.person(AMOUNT);
    return [person, await desk.approved(person, AMOUNT)];
  });
  t.diagnostic(`${stops.length} steps: ${stops.join('; ')}`);
  for (const expected of ['calling transfer', 'reading the answer of transfer', 'COMMIT', "UPDATE payouts SET status"]) {
    assert.ok(stops.includes(expected), `never stopped before ${expected}`);
  }
  await desk.assertBooks();
});

test('a worker killed before any step of finding out about a payout in doubt loses nothing and doubles nothing', async (t) => {
  let isDone = false;
  const stops = await killAtEveryStep(async () => {
    const person = await desk.person(AMOUNT);
    const payoutId = await desk.approved(person, AMOUNT);
    isDone = !isDone;
    desk.bank.fail('transfer', { mode: 'error_500', done: isDone ? 'after' : 'before' });
    await desk.payouts.sendApproved();
    assert.equal(await desk.statusOf(payoutId), 'sending');
    desk.clock.advance(SOON_SECONDS);
    return [person, payoutId];
  });
  t.diagnostic(`${stops.length} steps: ${stops.join('; ')}`);
  assert.ok(stops.includes('calling getTransfers'));
  await desk.assertBooks();
});

test('a worker killed while the provider, which has sent the money, still owes its answer', async () => {
  const person = await desk.person(AMOUNT);
  const payoutId = await desk.approved(person, AMOUNT);
  desk.bank.fail('transfer', { mode: 'hang', done: 'after' });
  const worker = runUntil(desk, 'payouts', 1_000_000);
  worker.catch(() => undefined);
  await eventually('the provider has sent it', () => desk.bank.transfersOf(person.telegramUserId).length === 1);
  // The worker says nothing while it waits, so it is found by its connection and killed by the end of its own call.
  assert.equal(await desk.statusOf(payoutId), 'sending');
  assert.equal(await desk.kopecks('payout', payoutId), Number(AMOUNT));
  await worker;
  await assertRecovers(person, payoutId, 'the answer');
});

test('while a worker hangs with a payout in its hands, others send the rest and leave that one alone', async () => {
  const held = await desk.person(AMOUNT);
  const heldId = await desk.approved(held, AMOUNT);
  running = await runUntil(desk, 'payouts', 6);
  assert.ok(running.stoppedBefore);
  const free = await desk.person(AMOUNT);
  const freeId = await desk.approved(free, AMOUNT);
  await desk.payouts.sendApproved();
  assert.equal(await desk.statusOf(freeId), 'sent');
  assert.notEqual(await desk.statusOf(heldId), 'sent');
  const locks = await query(desk.url, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
  assert.deepEqual(locks, [], 'somebody waits for the hanging worker');
  await running.kill();
  await assertRecovers(held, heldId, running.stoppedBefore);
});
