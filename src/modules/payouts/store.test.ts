import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { CRYPTO_PAY_TOKEN, sign } from '../../../test/support/crypto-pay-double.ts';
import { MoneyDesk, type Person } from '../../../test/support/money-desk.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { createDepositInvoice } from './deposit-invoices.ts';
import { findInvoice, listPendingInvoices, saveExpired } from './deposit-store.ts';
import { createCryptoPay } from './index.ts';
import type { Payout } from './payout.ts';
import {
  countPayoutsIn,
  findPayoutByKey,
  listPayouts,
  listPayoutsIn,
  lockNextToSend,
  needsRate,
  postponePayout,
  saveAttempt,
  saveRefused,
} from './store.ts';

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
beforeEach(async () => {
  desk.bank.heal();
  // Postpone payouts of earlier tests, so that they are not next.
  await desk.database.db.query("UPDATE payouts SET next_attempt_at = '2100-01-01' WHERE next_attempt_at IS NOT NULL");
});
after(() => desk.close());

const QUOTE = { asset: 'USDT', rate: '90', amount: '1.1' } as const;
const write = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => desk.database.db.transaction(work);
const at = (seconds: number): Date => addSeconds(desk.clock.now(), seconds);

async function read(payoutId: number): Promise<Payout> {
  const payout = await desk.payouts.find(payoutId);
  assert.ok(payout);
  return payout;
}

const next = async (seconds: number, hasRate: boolean): Promise<number | undefined> =>
  (await write((tx) => lockNextToSend(tx, at(seconds), hasRate)))?.id;
const attempt = (payoutId: number, seconds: number): Promise<void> =>
  write((tx) => saveAttempt(tx, { payoutId, quote: QUOTE, now: at(0), leaseUntil: at(seconds) }));

test('the payout that has waited longest is next, and one that was never sent needs a rate', async () => {
  const person = await desk.person(100_000n);
  const [late, early] = [await desk.approved(person, 20_000n), await desk.approved(person, 20_000n)];
  await write((tx) => postponePayout(tx, { payoutId: late, until: at(60), error: 'later' }));
  await write((tx) => postponePayout(tx, { payoutId: early, until: at(30), error: 'soon' }));
  assert.deepEqual([await next(29, true), await next(30, true), await next(60, true)], [undefined, early, early]);
  assert.equal(await next(60, false), undefined);
  await write((tx) => postponePayout(tx, { payoutId: early, until: at(60), error: 'later too' }));
  assert.equal(await next(60, true), late, 'of two that wait equally long the older one');

  await attempt(early, 45);
  assert.deepEqual([await next(44, false), await next(45, false)], [undefined, early]);
  assert.deepEqual([(await read(late)).status, (await read(early)).status], ['approved', 'sending']);
  await desk.requested(person, 20_000n);
  await write((tx) => postponePayout(tx, { payoutId: late, until: at(600), error: 'much later' }));
  await desk.database.db.query("UPDATE payouts SET next_attempt_at = created_at WHERE status = 'requested'");
  assert.equal(await next(44, true), undefined, 'what is only requested is never next');
});

test('a worker skips a payout that another worker has locked', async () => {
  const person = await desk.person(40_000n);
  const [first, second] = [await desk.approved(person, 20_000n), await desk.approved(person, 20_000n)];
  await write(async (tx) => {
    assert.equal((await lockNextToSend(tx, at(0), true))?.id, first);
    assert.equal(await next(0, true), second);
  });
});

test('a frozen payout is skipped and does not block the next one, and one in sending continues', async () => {
  const person = await desk.person(60_000n);
  const [frozen, free] = [await desk.approved(person, 20_000n), await desk.approved(person, 20_000n)];
  await desk.payouts.freeze({ payoutId: frozen, reason: 'odd' });
  assert.equal(await next(0, true), free);
  await attempt(free, 45);
  assert.equal(await next(0, true), undefined);
  await desk.database.db.query("UPDATE payouts SET frozen_at = now(), freeze_reason = 'odd' WHERE id = $1", [free]);
  assert.equal(await next(45, true), free);
  const { frozenAt, freezeReason } = await read(frozen);
  assert.deepEqual([frozenAt, freezeReason], [at(0), 'odd']);
});

test('a rate is needed while an approved Crypto Pay payout waits and is not frozen', async () => {
  const person = await desk.person(80_000n);
  const manual = await desk.requested(person, 20_000n, 'manual');
  await desk.payouts.approve({ payoutId: manual, operatorId: 7 });
  await desk.requested(person, 20_000n);
  const isNeeded = (seconds = 0): Promise<boolean> => needsRate(desk.database.db, at(seconds));
  assert.equal(await isNeeded(), false);
  const payoutId = await desk.approved(person, 20_000n);
  assert.deepEqual([await isNeeded(-1), await isNeeded()], [false, true]);
  await desk.payouts.freeze({ payoutId, reason: 'odd' });
  assert.equal(await isNeeded(), false);
  await desk.payouts.unfreeze({ payoutId });
  await attempt(payoutId, 0);
  assert.equal(await isNeeded(), false, 'its rate is fixed');
});

test('an attempt stores its quote and the start of the doubt, a refusal clears both, and other payouts stay unchanged', async () => {
  const person = await desk.person(40_000n);
  const [payoutId, other] = [await desk.approved(person, 20_000n), await desk.approved(person, 20_000n)];
  const untouched = await read(other);
  const begun = at(0);
  await attempt(payoutId, 45);
  desk.clock.advance(50);
  await attempt(payoutId, 45);
  const sending = await read(payoutId);
  assert.deepEqual([sending.status, sending.quote, sending.attempts, sending.doubtSince], ['sending', QUOTE, 2, begun]);
  await write((tx) => saveRefused(tx, { payoutId, until: at(30), error: 'NOT_ENOUGH_COINS' }));
  const refused = await read(payoutId);
  assert.deepEqual(
    [refused.status, refused.quote, refused.attempts, refused.doubtSince, refused.lastError],
    ['approved', null, 2, null, 'NOT_ENOUGH_COINS'],
  );
  assert.deepEqual(await read(other), untouched);
  assert.equal((await desk.payouts.markSent({ payoutId: other, reference: 'r' })).kind, 'not_allowed');
});

test('a decision changes one payout and no other', async () => {
  const person = await desk.person(80_000n);
  const ids: number[] = [];
  for (let i = 0; i < 4; i++) ids.push(await desk.requested(person, 20_000n, 'manual'));
  const [sent = 0, rejected = 0, approved = 0, waiting = 0] = ids;
  for (const payoutId of [sent, approved]) await desk.payouts.approve({ payoutId, operatorId: 7 });
  await desk.payouts.markSent({ payoutId: sent, reference: 'bank 5' });
  await desk.payouts.reject({ payoutId: rejected, reason: 'no' });
  const now = await Promise.all(ids.map(read));
  assert.deepEqual(
    now.map(({ status, reference, reason, closedAt }) => [status, reference, reason, closedAt]),
    [
      ['sent', 'bank 5', null, at(0)],
      ['rejected', null, 'no', at(0)],
      ['approved', null, null, null],
      ['requested', null, null, null],
    ],
  );
  const { db } = desk.database;
  const listed = async (page: { limit: number; after: number }): Promise<number[]> =>
    (await listPayoutsIn(db, { statuses: ['approved', 'requested'], ...page })).map(({ id }) => id);
  assert.deepEqual(await listed({ limit: 9, after: sent - 1 }), [approved, waiting]);
  assert.deepEqual(await listed({ limit: 9, after: approved }), [waiting]);
  assert.deepEqual(await listed({ limit: 1, after: sent - 1 }), [approved]);
  const counts = await Promise.all([['requested'], ['requested', 'rejected']].map(countOf));
  assert.equal((counts[1] ?? 0) - (counts[0] ?? 0), await countOf(['rejected']));
  assert.equal(await countOf([]), 0);
});

const countOf = (statuses: readonly string[]): Promise<number> =>
  countPayoutsIn(desk.database.db, statuses as Parameters<typeof countPayoutsIn>[1]);

test('payouts are listed by time and id, newest first, and each account has its own keys', async () => {
  const [person, other] = [await desk.person(80_000n), await desk.person(20_000n)];
  const ask = async ({ accountId }: Person, key: string): Promise<number> => {
    const asked = { key, amountKopecks: 20_000n, method: 'manual', destination: 'a card' } as const;
    const outcome = await desk.payouts.request({ ...asked, accountId });
    assert.ok(outcome.kind === 'requested');
    return outcome.payout.id;
  };
  const [a, b, theirs] = [await ask(person, 'a'), await ask(person, 'b'), await ask(other, 'a')];
  desk.clock.advance(1);
  const c = await ask(person, 'c');
  const { db } = desk.database;
  const { accountId } = person;
  const byKey = async (owner: Person, key: string): Promise<number | undefined> =>
    (await findPayoutByKey(db, owner.accountId, key))?.id;
  assert.deepEqual(
    [await byKey(person, 'a'), await byKey(person, 'b'), await byKey(other, 'a'), await byKey(other, 'b')],
    [a, b, theirs, undefined],
  );
  const listed = async (limit: number, after?: Payout): Promise<number[]> =>
    (await listPayouts(db, { accountId, limit, after })).map(({ id }) => id);
  assert.deepEqual(await listed(9), [c, b, a]);
  assert.deepEqual(await listed(1), [c]);
  assert.deepEqual(await listed(9, await read(b)), [a]);
});

test('an invoice is pending until it is paid or expired, and changes no other invoice', async () => {
  const person = await desk.person();
  const { accountId } = person;
  const invoice = async (): Promise<number> => {
    const outcome = await desk.payouts.createInvoice({ accountId, amountKopecks: 1n });
    assert.ok(outcome.kind === 'created');
    assert.deepEqual(outcome.expiresAt, at(24 * 60 * 60));
    return outcome.invoiceId;
  };
  const [paid, expired, open] = [await invoice(), await invoice(), await invoice()];
  const { db } = desk.database;
  await desk.payouts.recordInvoicePaid(paid);
  await saveExpired(db, [paid, expired]);
  const statuses = await Promise.all([paid, expired, open].map(async (id) => (await findInvoice(db, id))?.status));
  assert.deepEqual(statuses, ['paid', 'expired', 'pending']);
  const last = await invoice();
  const pending = async (after: number, limit = 9): Promise<number[]> =>
    (await listPendingInvoices(db, { after, limit })).map(({ invoiceId }) => invoiceId);
  assert.deepEqual(await pending(paid - 1), [open, last]);
  assert.deepEqual(await pending(open), [last]);
  assert.deepEqual(await pending(paid - 1, 1), [open]);

  const check = async (invoiceId: number, owner = accountId): Promise<string> =>
    (await desk.payouts.checkInvoice({ accountId: owner, invoiceId })).kind;
  assert.deepEqual([await check(paid), await check(expired), await check(open)], ['paid', 'expired', 'pending']);
  assert.deepEqual([await check(open, accountId + 1), await check(999_999)], ['not_found', 'not_found']);
  desk.bank.setInvoice(open, 'paid');
  desk.bank.fail('getInvoices', { mode: 'refuse', name: 'UNAUTHORIZED', code: 401 });
  assert.equal(await check(open), 'pending', 'the provider did not say');
  assert.equal(await check(open), 'paid');
  assert.equal((await findInvoice(db, open))?.status, 'paid');
  assert.equal(await desk.kopecks('available', accountId), 2);
});

test('a failed invoice returns the reason, and an invoice without an address is refused', async () => {
  const { accountId } = await desk.person();
  const deposit = { accountId, amountKopecks: 100n };
  const { db } = desk.database;
  const client = createCryptoPay({ apiRoot: desk.bank.url, token: CRYPTO_PAY_TOKEN });
  const make = (answer: Awaited<ReturnType<typeof client.createInvoice>>) =>
    createDepositInvoice(
      {
        ...desk.payouts.deps,
        cryptoPay: { client: { ...client, createInvoice: async () => answer }, asset: 'USDT' },
      },
      deposit,
    );
  assert.deepEqual(await make({ kind: 'unknown', reason: 'no answer' }), { kind: 'unavailable', reason: 'no answer' });
  assert.deepEqual(await make({ kind: 'refused', code: 400, name: 'NO' }), { kind: 'unavailable', reason: 'NO' });
  const invoice = { invoiceId: 77, status: 'active', url: '' } as const;
  assert.deepEqual(await make({ kind: 'ok', result: invoice }), {
    kind: 'unavailable',
    reason: 'an invoice without an address',
  });
  assert.equal(await findInvoice(db, 77), undefined);
});

test('a signed notification returns ok', async () => {
  const server = await desk.serve();
  try {
    const body = '{}';
    const answer = await fetch(`${server.sandbox.url}/crypto-pay/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'crypto-pay-api-signature': sign(body, CRYPTO_PAY_TOKEN) },
      body,
    });
    assert.deepEqual([answer.status, await answer.json()], [200, { ok: true }]);
  } finally {
    await server.close();
  }
});

test('a credit without a request closes no request, and five requests may be open', async () => {
  const person = await desk.person();
  const { accountId } = person;
  const before = await desk.payouts.countDepositRequests();
  const ask = async (key: string) => desk.payouts.requestDeposit({ accountId, amountKopecks: 100n, key });
  for (const key of ['1', '2', '3', '4', '5']) assert.equal((await ask(key)).kind, 'requested');
  assert.deepEqual(await ask('6'), { kind: 'too_many_open', most: 5 });
  const credit = { key: 'free credit', accountId, amountKopecks: 100n, note: 'wire', operatorId: 7 };
  assert.deepEqual(await desk.payouts.creditAccount(credit), { kind: 'credited' });
  assert.equal(await desk.payouts.countDepositRequests(), before + 5);
  assert.equal(await desk.kopecks('available', accountId), 100);
});
