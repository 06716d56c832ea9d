import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { available, openAccounts, platform, postTransfers } from '../../src/modules/ledger/index.ts';
import type { PayoutStatus } from '../../src/modules/payouts/index.ts';
import type { CryptoPayFault } from '../support/crypto-pay-double.ts';
import { MINIMUM_KOPECKS, MoneyDesk, type Person } from '../support/money-desk.ts';
import { propertyRuns, propertySeed } from '../support/property-runs.ts';

/**
 * To replay a run or to search further:
 * `SPONSORGATE_PROPERTY_SEED=… SPONSORGATE_PROPERTY_RUNS=… npm test -- test/properties/payouts.test.ts`.
 */
const seed = propertySeed;
const numRuns = propertyRuns(10);

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
after(() => desk.close());

type Action =
  | { readonly kind: 'request'; readonly rubles: number; readonly method: 'manual' | 'crypto-pay' }
  | { readonly kind: 'approve' | 'reject' | 'mark_sent'; readonly nth: number }
  | { readonly kind: 'send'; readonly fault: CryptoPayFault | undefined; readonly isLookUpDown: boolean }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'credit' | 'reverse'; readonly rubles: number };

const anyFault = fc.option(
  fc.oneof(
    fc.record({
      mode: fc.constantFrom('cut' as const, 'error_500' as const, 'garbage' as const, 'wrong_shape' as const),
      done: fc.constantFrom('before' as const, 'after' as const),
    }),
    fc.record({ mode: fc.constant('refuse' as const), name: fc.constantFrom('USER_NOT_FOUND', 'NOT_ENOUGH_COINS') }),
  ),
  { nil: undefined, freq: 2 },
);
const nth = fc.nat({ max: 5 });
const rubles = fc.integer({ min: 50, max: 600 });
const method = fc.constantFrom('manual' as const, 'crypto-pay' as const, 'crypto-pay' as const);

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('request' as const), rubles, method }),
  fc.record({ kind: fc.constant('request' as const), rubles, method }),
  fc.record({ kind: fc.constant('approve' as const), nth }),
  fc.record({ kind: fc.constant('approve' as const), nth }),
  fc.record({ kind: fc.constantFrom('reject' as const, 'mark_sent' as const), nth }),
  fc.record({ kind: fc.constant('send' as const), fault: anyFault, isLookUpDown: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11, 40) }),
  fc.record({ kind: fc.constantFrom('credit' as const, 'reverse' as const), rubles: fc.integer({ min: 1, max: 400 }) }),
);

/** The state from which the allowed results follow: the available balance and the status of each payout. */
interface Model {
  availableKopecks: bigint;
  paidInKopecks: bigint;
  readonly payouts: { readonly id: number; readonly kopecks: bigint; readonly method: string; status: PayoutStatus }[];
}

const NEXT_BY_JOB: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  requested: ['requested'],
  approved: ['approved', 'sending', 'sent', 'failed'],
  sending: ['sending', 'approved', 'sent', 'failed'],
  sent: ['sent'],
  rejected: ['rejected'],
  failed: ['failed'],
};

let keys = 0;

async function act(model: Model, person: Person, action: Action): Promise<void> {
  const { accountId } = person;
  switch (action.kind) {
    case 'request': {
      const kopecks = BigInt(action.rubles) * 100n;
      const outcome = await desk.payouts.request({
        accountId,
        key: `model ${++keys}`,
        amountKopecks: kopecks,
        method: action.method,
        destination: String(person.telegramUserId),
      });
      if (kopecks < MINIMUM_KOPECKS) return assert.equal(outcome.kind, 'below_minimum');
      if (kopecks > model.availableKopecks) return assert.equal(outcome.kind, 'insufficient_funds');
      assert.ok(outcome.kind === 'requested', outcome.kind);
      model.payouts.push({ id: outcome.payout.id, kopecks, method: action.method, status: 'requested' });
      model.availableKopecks -= kopecks;
      return;
    }
    case 'approve':
    case 'reject':
    case 'mark_sent':
      return decide(model, action);
    case 'send': {
      if (action.fault !== undefined) desk.bank.fail('transfer', action.fault, 20);
      if (action.isLookUpDown) desk.bank.fail('getTransfers', { mode: 'refuse', name: 'DOWN', code: 429 }, 40);
      await desk.payouts.sendApproved();
      desk.bank.heal();
      return follow(model);
    }
    case 'wait':
      return desk.clock.advance(action.minutes * 60);
    case 'credit':
    case 'reverse':
      return move(model, accountId, action.kind, BigInt(action.rubles) * 100n);
  }
}

async function decide(
  model: Model,
  { kind, nth: index }: { kind: 'approve' | 'reject' | 'mark_sent'; nth: number },
): Promise<void> {
  const payout = model.payouts[index];
  if (payout === undefined) return;
  const { id: payoutId, status } = payout;
  if (kind === 'approve') {
    const outcome = await desk.payouts.approve({ payoutId, operatorId: 7 });
    const allowed = model.availableKopecks < 0n ? 'in_debt' : 'done';
    assert.equal(outcome.kind, status === 'requested' ? allowed : 'not_allowed');
    if (outcome.kind === 'done') payout.status = 'approved';
  } else if (kind === 'reject') {
    const outcome = await desk.payouts.reject({ payoutId, reason: 'no' });
    assert.equal(outcome.kind, status === 'requested' || status === 'approved' ? 'done' : 'not_allowed');
    if (outcome.kind !== 'done') return;
    payout.status = 'rejected';
    model.availableKopecks += payout.kopecks;
  } else {
    const outcome = await desk.payouts.markSent({ payoutId, reference: 'r' });
    assert.equal(outcome.kind, status === 'approved' && payout.method === 'manual' ? 'done' : 'not_allowed');
    if (outcome.kind === 'done') payout.status = 'sent';
  }
}

/** Adopts the statuses after a run of the job. They depend on provider faults, but the model must allow each change. */
async function follow(model: Model): Promise<void> {
  for (const payout of model.payouts) {
    const status = await desk.statusOf(payout.id);
    assert.ok(status !== undefined);
    const allowed: readonly string[] = payout.method === 'manual' ? [payout.status] : NEXT_BY_JOB[payout.status];
    assert.ok(allowed.includes(status), `a payout that was ${payout.status} became ${status}`);
    if (status === 'failed' && payout.status !== 'failed') model.availableKopecks += payout.kopecks;
    payout.status = status as PayoutStatus;
  }
}

/** Credits the account or reverses a reward. Neither operation checks the balance. */
async function move(model: Model, accountId: number, kind: 'credit' | 'reverse', kopecks: bigint): Promise<void> {
  const sign = kind === 'credit' ? 1n : -1n;
  model.availableKopecks += sign * kopecks;
  model.paidInKopecks += sign * kopecks;
  const key = `model ${++keys}`;
  if (kind === 'credit') {
    await desk.payouts.creditAccount({ key, accountId, amountKopecks: kopecks, note: '', operatorId: null });
    return;
  }
  const from = available(accountId);
  await desk.database.db.transaction(async (tx) => {
    await openAccounts(tx, [platform(0)]);
    await postTransfers(
      tx,
      [{ kind: 'deposit' as const, key, from, to: platform(0), amountKopecks: kopecks }],
      desk.clock.now(),
    );
  });
}

async function assertAgrees(model: Model, { accountId }: Person): Promise<void> {
  assert.equal(BigInt(await desk.kopecks('available', accountId)), model.availableKopecks);
  let outside = 0n;
  let inFlight = 0n;
  for (const { id, kopecks, status, method: by } of model.payouts) {
    const payout = await desk.payouts.find(id);
    assert.equal(payout?.status, status);
    const transfers = desk.bank.transfers.filter((transfer) => transfer.spend_id === payout?.spendId).length;
    assert.ok(transfers <= 1, 'sent twice');
    if (status === 'sent') assert.equal(transfers, by === 'crypto-pay' ? 1 : 0);
    else if (status !== 'sending') assert.equal(transfers, 0, `the money is out and the payout ${status}`);
    if (status === 'sent') outside += kopecks;
    else if (status !== 'rejected' && status !== 'failed') inFlight += kopecks;
  }
  assert.equal(model.availableKopecks + inFlight + outside, model.paidInKopecks, 'money was made or lost');
  const sent = model.payouts.filter(({ status }) => status === 'sent').length;
  assert.equal((await desk.events(accountId, 'payout.sent')).length, sent);
}

test('no sequence of actions and provider faults loses money or sends a payout twice', async (t) => {
  t.diagnostic(`seed ${seed}, ${numRuns} runs`);
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 30 }), async (actions) => {
      const person = await desk.person(100_000n);
      const model: Model = { availableKopecks: 100_000n, paidInKopecks: 100_000n, payouts: [] };
      for (const action of actions) {
        await act(model, person, action);
        await assertAgrees(model, person);
      }
      // When the debt is paid and the provider works again, no payout stays approved or sending.
      const debtKopecks = -model.availableKopecks;
      if (debtKopecks > 0n) await move(model, person.accountId, 'credit', debtKopecks);
      desk.clock.advance(3600);
      await desk.payouts.sendApproved();
      await follow(model);
      await assertAgrees(model, person);
      const stuck = model.payouts.filter(
        (payout) => payout.method === 'crypto-pay' && /approved|sending/.test(payout.status),
      );
      assert.deepEqual(stuck, []);
      await desk.assertBooks();
    }),
    { seed, numRuns },
  );
});
