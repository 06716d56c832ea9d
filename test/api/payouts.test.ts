import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { liftFreeze, listDebtors, saveFreeze } from '../../src/modules/accounts/index.ts';
import { external, hold, postTransfers } from '../../src/modules/ledger/index.ts';
import { MINIMUM_KOPECKS, MoneyDesk, type Person } from '../support/money-desk.ts';
import { range } from '../support/users.ts';

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
after(() => desk.close());

const ask = (person: Person, kopecks: bigint, extra: { key?: string; destination?: string } = {}) =>
  desk.payouts.request({
    accountId: person.accountId,
    key: extra.key ?? crypto.randomUUID(),
    amountKopecks: kopecks,
    method: 'manual',
    destination: extra.destination ?? '2200 0000 0000 0000',
  });

test('a request moves the money from the balance to the account of the payout at once', async () => {
  const person = await desk.person(50_000n);
  const payoutId = await desk.requested(person, 20_000n, 'manual');
  assert.equal(await desk.statusOf(payoutId), 'requested');
  assert.equal(await desk.kopecks('available', person.accountId), 30_000);
  assert.equal(await desk.kopecks('payout', payoutId), 20_000);
  await desk.assertBooks();
});

test('only the available balance can be withdrawn; money in hold is refused', async () => {
  const person = await desk.person(20_000n);
  const { accountId } = person;
  await desk.database.db.transaction((tx) =>
    postTransfers(
      tx,
      [
        {
          kind: 'deposit' as const,
          key: `test:${accountId}:hold`,
          from: external(accountId),
          to: hold(accountId),
          amountKopecks: 90_000n,
        },
      ],
      desk.clock.now(),
    ),
  );
  const outcome = await ask(person, 20_001n);
  assert.deepEqual(outcome, { kind: 'insufficient_funds', withdrawableKopecks: 20_000n });
  assert.equal(await desk.kopecks('available', person.accountId), 20_000);
  assert.equal((await ask(person, 20_000n)).kind, 'requested');
});

test('an amount below the minimum or an invalid destination is refused and moves no money', async () => {
  const person = await desk.person(50_000n);
  assert.deepEqual(await ask(person, MINIMUM_KOPECKS - 1n), { kind: 'below_minimum', minimumKopecks: MINIMUM_KOPECKS });
  assert.equal((await ask(person, -20_000n)).kind, 'below_minimum');
  for (const destination of ['', '   ', 'x'.repeat(257), 'a\0b', 'a\nb']) {
    assert.deepEqual(await ask(person, 20_000n, { destination }), { kind: 'invalid_destination' }, destination);
  }
  const toNobody = await desk.payouts.request({
    accountId: person.accountId,
    key: 'x',
    amountKopecks: 20_000n,
    method: 'crypto-pay',
    destination: '@somebody',
  });
  assert.deepEqual(toNobody, { kind: 'invalid_destination' });
  assert.equal(await desk.kopecks('available', person.accountId), 50_000);
});

test('a request sent 20 times at once creates one payout', async () => {
  const person = await desk.person(100_000n);
  const outcomes = await Promise.all(range(20).map(() => ask(person, 30_000n, { key: 'one press' })));
  const ids = outcomes.map((outcome) => (outcome.kind === 'requested' ? outcome.payout.id : outcome.kind));
  assert.equal(new Set(ids).size, 1, String(ids));
  assert.equal(await desk.kopecks('available', person.accountId), 70_000);
});

test('30 simultaneous requests for a balance that covers 7 create 7 payouts', async () => {
  const person = await desk.person(7n * 10_000n + 9_999n);
  const outcomes = await Promise.all(range(30).map(() => ask(person, 10_000n)));
  assert.equal(outcomes.filter((outcome) => outcome.kind === 'requested').length, 7);
  assert.equal(await desk.kopecks('available', person.accountId), 9_999);
  await desk.assertBooks();
});

test('a manual payout is approved and marked as sent with a reference, and an event reports it', async () => {
  const person = await desk.person(50_000n);
  const payoutId = await desk.requested(person, 20_000n, 'manual');
  assert.deepEqual(await desk.payouts.markSent({ payoutId, reference: 'too early' }), {
    kind: 'not_allowed',
    status: 'requested',
  });
  assert.deepEqual(await desk.payouts.approve({ payoutId, operatorId: 7 }), { kind: 'done' });
  desk.clock.advance(60);
  assert.deepEqual(await desk.payouts.markSent({ payoutId, reference: ' ' }), { kind: 'invalid_reference' });
  assert.deepEqual(await desk.payouts.markSent({ payoutId, reference: ' receipt 12 ' }), { kind: 'done' });

  assert.equal(await desk.statusOf(payoutId), 'sent');
  assert.equal(await desk.kopecks('payout', payoutId), 0);
  assert.equal(await desk.kopecks('external', person.accountId), -30_000);
  const [event, ...others] = await desk.events(person.accountId, 'payout.sent');
  assert.deepEqual(others, []);
  assert.deepEqual(event, {
    payout_id: payoutId,
    amount: 200,
    provider: 'manual',
    reference: 'receipt 12',
    requested_at: event?.requested_at,
    sent_at: desk.clock.now().toISOString().replace('Z', '+00:00'),
  });
  assert.deepEqual(await desk.payouts.markSent({ payoutId, reference: 'again' }), {
    kind: 'not_allowed',
    status: 'sent',
  });
  assert.deepEqual(await desk.payouts.reject({ payoutId, reason: 'late' }), { kind: 'not_allowed', status: 'sent' });
  await desk.assertBooks();
});

test('an operator cannot mark a Crypto Pay payout as sent', async () => {
  const person = await desk.person(20_000n);
  const payoutId = await desk.approved(person, 20_000n);
  assert.deepEqual(await desk.payouts.markSent({ payoutId, reference: 'by hand' }), {
    kind: 'not_allowed',
    status: 'approved',
  });
  assert.equal(await desk.kopecks('payout', payoutId), 20_000);
  assert.deepEqual(await desk.events(person.accountId, 'payout.sent'), []);
  assert.deepEqual(await desk.payouts.reject({ payoutId, reason: 'only a test' }), { kind: 'done' });
});

for (const from of ['requested', 'approved'] as const) {
  test(`a rejected payout that was ${from} returns its money once`, async () => {
    const person = await desk.person(50_000n);
    const payoutId = await desk.requested(person, 20_000n, 'manual');
    if (from === 'approved') await desk.payouts.approve({ payoutId, operatorId: null });
    const outcomes = await Promise.all(range(5).map(() => desk.payouts.reject({ payoutId, reason: 'no such card' })));
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'done').length, 1);
    assert.equal(await desk.statusOf(payoutId), 'rejected');
    assert.equal(await desk.kopecks('available', person.accountId), 50_000);
    assert.deepEqual(await desk.events(person.accountId, 'payout.sent'), []);
    const notices = await desk.database.db.query('SELECT kind, data FROM notices WHERE account_id = $1', [
      person.accountId,
    ]);
    assert.deepEqual(notices, [
      { kind: 'payout_returned', data: { payout_id: payoutId, amount: '20000', reason: 'no such card' } },
    ]);
    assert.deepEqual(await desk.payouts.approve({ payoutId, operatorId: 7 }), {
      kind: 'not_allowed',
      status: 'rejected',
    });
    await desk.assertBooks();
  });
}

test('when one operator sends and another rejects a payout at once, the money moves once', async () => {
  for (const _ of range(10)) {
    const person = await desk.person(20_000n);
    const payoutId = await desk.requested(person, 20_000n, 'manual');
    await desk.payouts.approve({ payoutId, operatorId: 7 });
    const outcomes = await Promise.all([
      desk.payouts.markSent({ payoutId, reference: 'r' }),
      desk.payouts.reject({ payoutId, reason: 'no' }),
    ]);
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'done').length, 1);
    const isSent = outcomes[0]?.kind === 'done';
    assert.equal(await desk.kopecks('available', person.accountId), isSent ? 0 : 20_000);
    assert.equal((await desk.events(person.accountId, 'payout.sent')).length, isSent ? 1 : 0);
  }
  await desk.assertBooks();
});

test('an unknown payout is not found', async () => {
  assert.deepEqual(await desk.payouts.approve({ payoutId: 999_999, operatorId: 7 }), { kind: 'not_found' });
  assert.deepEqual(await desk.payouts.reject({ payoutId: 999_999, reason: '' }), { kind: 'not_found' });
  assert.deepEqual(await desk.payouts.markSent({ payoutId: 999_999, reference: 'r' }), { kind: 'not_found' });
});

test('waiting payouts are listed oldest first', async () => {
  const person = await desk.person(50_000n);
  const first = await desk.requested(person, 10_000n, 'manual');
  const second = await desk.requested(person, 10_000n, 'manual');
  const waiting = (await desk.payouts.listIn({ statuses: ['requested'], limit: 100 })).map((payout) => payout.id);
  assert.deepEqual(
    waiting.filter((id) => id === first || id === second),
    [first, second],
  );
});

test('a frozen payout can be rejected, but not approved or sent until it is released', async () => {
  const person = await desk.person(60_000n);
  const [manual, other] = [
    await desk.requested(person, 20_000n, 'manual'),
    await desk.requested(person, 20_000n, 'manual'),
  ];
  const freeze = (payoutId: number) => desk.payouts.freeze({ payoutId, reason: 'looks odd' });
  const outcomes = await Promise.all(range(4).map(() => freeze(manual)));
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['done', 'unchanged', 'unchanged', 'unchanged']);
  assert.deepEqual(await desk.payouts.approve({ payoutId: manual, operatorId: 7 }), { kind: 'frozen' });
  assert.deepEqual(await desk.payouts.unfreeze({ payoutId: manual }), { kind: 'done' });
  assert.deepEqual(await desk.payouts.unfreeze({ payoutId: manual }), { kind: 'unchanged' });
  assert.deepEqual(await desk.payouts.approve({ payoutId: manual, operatorId: 7 }), { kind: 'done' });
  await freeze(manual);
  assert.deepEqual(await desk.payouts.markSent({ payoutId: manual, reference: 'r' }), { kind: 'frozen' });
  await desk.payouts.unfreeze({ payoutId: manual });
  assert.deepEqual(await desk.payouts.markSent({ payoutId: manual, reference: 'r' }), { kind: 'done' });
  assert.deepEqual(await freeze(manual), { kind: 'not_allowed', status: 'sent' });
  await freeze(other);
  assert.deepEqual(await desk.payouts.reject({ payoutId: other, reason: 'no' }), { kind: 'done' });
  assert.deepEqual(await freeze(999_999), { kind: 'not_found' });
  await desk.assertBooks();
});

for (const what of ['payout', 'account'] as const) {
  test(`an approved Crypto Pay payout is not sent while its ${what} is frozen`, async () => {
    const person = await desk.person(20_000n);
    const { accountId } = person;
    const payoutId = await desk.approved(person, 20_000n);
    const { db } = desk.database;
    if (what === 'payout') await desk.payouts.freeze({ payoutId, reason: 'odd' });
    else await db.transaction((tx) => saveFreeze(tx, { accountId, reason: 'odd', at: desk.clock.now() }));
    await desk.payouts.sendApproved();
    assert.equal(await desk.statusOf(payoutId), 'approved');
    assert.deepEqual(desk.bank.transfersOf(person.telegramUserId), []);
    if (what === 'payout') await desk.payouts.unfreeze({ payoutId });
    else await db.transaction((tx) => liftFreeze(tx, accountId));
    await desk.payouts.sendApproved();
    await desk.assertSentOnce(payoutId, person);
  });
}

test('an account with frozen withdrawals cannot request payouts, and its payouts cannot be approved', async () => {
  const person = await desk.person(50_000n);
  const { accountId } = person;
  const payoutId = await desk.requested(person, 20_000n, 'manual');
  const { db } = desk.database;
  await db.transaction((tx) => saveFreeze(tx, { accountId, reason: 'odd', at: desk.clock.now() }));
  assert.deepEqual(await ask(person, 10_000n), { kind: 'withdrawals_frozen' });
  assert.deepEqual(await desk.payouts.approve({ payoutId, operatorId: 7 }), { kind: 'frozen' });
  assert.equal(await desk.kopecks('available', accountId), 30_000);
  await db.transaction((tx) => liftFreeze(tx, accountId));
  assert.equal((await ask(person, 10_000n)).kind, 'requested');
  assert.deepEqual(await desk.payouts.approve({ payoutId, operatorId: 7 }), { kind: 'done' });
});

test('a repeated debit is posted once and may leave a debt', async () => {
  const { accountId } = await desk.person(10_000n);
  const debit = (key: string, amountKopecks: bigint) =>
    desk.payouts.debitAccount({ key, accountId, amountKopecks, reason: 'fraud', operatorId: 7 });
  const outcomes = await Promise.all(range(5).map(() => debit('one', 15_000n)));
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [...range(4).map(() => 'already_debited'), 'debited']);
  assert.equal(await desk.kopecks('available', accountId), -5_000);
  assert.deepEqual(await debit('one', 1n), { kind: 'key_taken' });
  assert.deepEqual(await debit('none', 0n), { kind: 'invalid_amount' });
  const nobody = { key: 'x', accountId: 999_999, amountKopecks: 1n, reason: 'r', operatorId: 7 };
  assert.deepEqual(await desk.payouts.debitAccount(nobody), { kind: 'account_not_found' });
  const debtors = await listDebtors(desk.database.db, { limit: 100, offset: 0 });
  assert.deepEqual(
    debtors.filter((one) => one.accountId === accountId).map(({ debtKopecks }) => debtKopecks),
    [5_000n],
  );
  await desk.assertBooks();
});

test('a banned or unknown account cannot request a payout', async () => {
  const person = await desk.person(50_000n);
  await desk.database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1", [
    person.accountId,
  ]);
  const request = { key: 'banned', amountKopecks: 20_000n, method: 'manual', destination: 'a card' } as const;
  for (const accountId of [person.accountId, 999_999])
    assert.deepEqual(await desk.payouts.request({ ...request, accountId }), { kind: 'account_banned' });
  assert.equal(await desk.kopecks('available', person.accountId), 50_000);
});
