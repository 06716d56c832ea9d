import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { creditAccount, declineDeposit } from '../../src/modules/operators/index.ts';
import { query } from '../support/books.ts';
import { sign } from '../support/crypto-pay-double.ts';
import { MINIMUM_KOPECKS, MoneyDesk, type Person } from '../support/money-desk.ts';
import { bindPayouts } from '../support/money-use-cases.ts';
import { range } from '../support/users.ts';
import { assertRefused } from './refusals.ts';

let desk: MoneyDesk;
let server: { readonly sandbox: { readonly url: string }; close(): Promise<void> };
before(async () => {
  desk = await MoneyDesk.open();
  server = await desk.serve();
});
beforeEach(() => desk.bank.heal());
after(async () => {
  await server.close();
  await desk.close();
});

async function invoice(person: Person, kopecks: bigint): Promise<number> {
  const outcome = await desk.payouts.createInvoice({ accountId: person.accountId, amountKopecks: kopecks });
  assert.ok(outcome.kind === 'created', outcome.kind);
  assert.match(outcome.url, /^https:\/\/t\.me\/CryptoBot/);
  return outcome.invoiceId;
}

function notify(
  { body, signature }: { body: string; signature: string | undefined },
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.sandbox.url}/crypto-pay/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'crypto-pay-api-signature': signature }),
      ...headers,
    },
    body,
  });
}

const balance = (person: Person): Promise<number> => desk.kopecks('available', person.accountId);

test('a paid invoice is credited once, even after many notifications', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 12_345n);
  assert.equal(desk.bank.invoices.get(invoiceId)?.amount, '123.45');
  assert.equal(await balance(person), 0);
  desk.bank.setInvoice(invoiceId, 'paid');

  const told = range(10).map(() => notify(desk.bank.notice(invoiceId)));
  const [responses] = await Promise.all([
    Promise.all(told),
    Promise.all(range(3).map(() => desk.openPayouts().reconcileInvoices())),
  ]);
  assert.deepEqual(
    responses.map((response) => response.status),
    range(10).map(() => 200),
  );
  assert.equal(await balance(person), 12_345);
  desk.clock.advance(30 * 24 * 3600);
  assert.equal((await notify(desk.bank.notice(invoiceId))).status, 200);
  assert.equal(await balance(person), 12_345);
  await desk.assertBooks();
});

test('the credited amount comes from the invoice, not from the notification', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  const body = JSON.stringify({
    update_type: 'invoice_paid',
    payload: { invoice_id: invoiceId, status: 'paid', amount: '999999.00', fiat: 'RUB' },
  });
  assert.equal((await notify({ body, signature: sign(body, '12345:AAtesttokenoftheapp') })).status, 200);
  assert.equal(await balance(person), 10_000);
});

test('the signature is checked over the raw bytes, so unusually formatted JSON is accepted as it was signed', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  const body = `{ "payload" : {"status":"paid",\n\t"invoice_id": ${invoiceId}e0 , "x": 1.0},"update_type":"invoice\\u005fpaid"}`;
  assert.equal((await notify({ body, signature: sign(body, '12345:AAtesttokenoftheapp') })).status, 200);
  assert.equal(await balance(person), 10_000);
});

test('a notification without a valid signature gets 401 and credits nothing', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  const good = desk.bank.notice(invoiceId);
  const bad: readonly [string, { body: string; signature: string | undefined }][] = [
    ['none', { ...good, signature: undefined }],
    ['empty', { ...good, signature: '' }],
    ['not hex', { ...good, signature: 'z'.repeat(64) }],
    ['cut', { ...good, signature: good.signature.slice(0, 32) }],
    ['of another token', desk.bank.notice(invoiceId, { token: '1:other' })],
    ['of the token itself as the key', { ...good, signature: 'ab'.repeat(32) }],
    ['of another body', { body: `${good.body} `, signature: good.signature }],
    ['of an empty body', { body: '', signature: good.signature }],
  ];
  for (const [name, notice] of bad) await assertRefused(await notify(notice), 401, `signature: ${name}`);
  assert.equal(await balance(person), 0);
});

test('a notification about an unknown invoice or of another kind gets 200 and changes nothing', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  const nonsense = ['not json', '[]', '{}', 'null', '{"update_type":"invoice_paid","payload":{"invoice_id":"5"}}'];
  const notices = [
    desk.bank.notice(77),
    desk.bank.notice(invoiceId, { updateType: 'invoice_expired' }),
    desk.bank.notice(invoiceId, { status: 'active' }),
    ...nonsense.map((body) => ({ body, signature: sign(body, '12345:AAtesttokenoftheapp') })),
  ];
  for (const notice of notices) assert.equal((await notify(notice)).status, 200, notice.body);
  const text = desk.bank.notice(77);
  assert.equal((await notify(text, { 'content-type': 'text/plain' })).status, 200);
  assert.equal(await balance(person), 0);
  await desk.assertBooks();
});

test('the job finds a paid invoice whose notification was lost', async () => {
  const person = await desk.person();
  const paid = await invoice(person, 10_000n);
  const open = await invoice(person, 20_000n);
  const expired = await invoice(person, 30_000n);
  desk.bank.setInvoice(paid, 'paid');
  desk.bank.setInvoice(expired, 'expired');
  desk.bank.fail('getInvoices', { mode: 'error_500', done: 'before' }, 3);
  assert.equal(await desk.payouts.reconcileInvoices(), 0, 'a provider that is down credits nothing');
  assert.equal(await desk.payouts.reconcileInvoices(), 1);
  assert.equal(await balance(person), 10_000);
  const statuses = await query(
    desk.url,
    'SELECT status FROM deposit_invoices WHERE invoice_id = ANY($1) ORDER BY invoice_id',
    [[paid, open, expired]],
  );
  assert.deepEqual(statuses, [{ status: 'paid' }, { status: 'pending' }, { status: 'expired' }]);
});

test('a notification credits an invoice that the service had marked as expired', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  desk.bank.setInvoice(invoiceId, 'expired');
  await desk.payouts.reconcileInvoices();
  assert.equal((await notify(desk.bank.notice(invoiceId))).status, 200);
  assert.equal(await balance(person), 10_000);
});

test('an invoice unknown to the provider expires more than an hour after its end, and not before', async () => {
  const person = await desk.person();
  const invoiceId = await invoice(person, 10_000n);
  desk.bank.invoices.delete(invoiceId);
  const status = async (): Promise<unknown> =>
    (await query(desk.url, 'SELECT status FROM deposit_invoices WHERE invoice_id = $1', [invoiceId]))[0];
  await desk.payouts.reconcileInvoices();
  assert.deepEqual(await status(), { status: 'pending' });
  // Exactly one hour after the end of the invoice, which is still too early.
  desk.clock.advance(25 * 3600);
  await desk.payouts.reconcileInvoices();
  assert.deepEqual(await status(), { status: 'pending' });
  desk.clock.advance(1);
  await desk.payouts.reconcileInvoices();
  assert.deepEqual(await status(), { status: 'expired' });
});

test('all pending invoices are checked, even when they need several requests', async () => {
  const person = await desk.person();
  const ids: number[] = [];
  for (const _ of range(130)) ids.push(await invoice(person, 100n));
  for (const id of ids) desk.bank.setInvoice(id, 'paid');
  assert.equal(await desk.payouts.reconcileInvoices(), 130);
  assert.equal(await balance(person), 13_000);
});

test('when the provider creates no invoice, the outcome reports it and nothing is stored', async () => {
  const person = await desk.person();
  const deposit = { accountId: person.accountId, amountKopecks: 10_000n };
  for (const mode of ['error_500', 'garbage', 'cut', 'wrong_shape', 'hang'] as const) {
    desk.bank.fail('createInvoice', { mode, done: 'after' });
    assert.equal((await desk.payouts.createInvoice(deposit)).kind, 'unavailable', mode);
  }
  desk.bank.fail('createInvoice', { mode: 'refuse', name: 'AMOUNT_TOO_SMALL' });
  assert.deepEqual(await desk.payouts.createInvoice(deposit), { kind: 'unavailable', reason: 'AMOUNT_TOO_SMALL' });
  assert.equal((await desk.payouts.createInvoice({ ...deposit, amountKopecks: 0n })).kind, 'invalid_amount');
  assert.deepEqual(
    await query(desk.url, 'SELECT * FROM deposit_invoices WHERE account_id = $1', [person.accountId]),
    [],
  );
});

test('a credit by an operator is posted once per key, and a key belongs to one account and one amount', async () => {
  const person = await desk.person();
  const other = await desk.person();
  const credit = { key: 'bank 1', accountId: person.accountId, amountKopecks: 5_000n, note: 'wire', operatorId: 7 };
  const outcomes = await Promise.all(range(10).map(() => desk.payouts.creditAccount(credit)));
  assert.equal(outcomes.filter(({ kind }) => kind === 'credited').length, 1);
  assert.equal(outcomes.filter(({ kind }) => kind === 'already_credited').length, 9);
  assert.equal(await balance(person), 5_000);
  const isKind = async (change: object, kind: string): Promise<void> =>
    assert.deepEqual(await desk.payouts.creditAccount({ ...credit, ...change }), { kind });
  await isKind({ amountKopecks: 6_000n }, 'key_taken');
  await isKind({ accountId: other.accountId }, 'key_taken');
  await isKind({ key: 'bank 2', accountId: 999_999 }, 'account_not_found');
  await isKind({ key: 'bank 2', amountKopecks: 0n }, 'invalid_amount');
  assert.equal(await balance(person), 5_000);
  assert.equal(await balance(other), 0);
  await desk.assertBooks();
});

const logged = async (subject: string): Promise<string[]> => {
  const rows = await query<{ action: string }>(desk.url, 'SELECT action FROM operator_actions WHERE subject = $1', [
    subject,
  ]);
  return rows.map(({ action }) => action);
};

test('a credit notifies its owner and is in the audit log once', async () => {
  const person = await desk.person();
  const credit = { key: 'told', accountId: person.accountId, amountKopecks: 5_000n, note: 'wire', operatorId: 7 };
  for (const kind of ['credited', 'already_credited'])
    assert.deepEqual(await creditAccount(desk.payouts.deps, credit), { kind });
  assert.deepEqual(await logged(`account:${person.accountId}`), ['account.credited']);
  const notices = await query(desk.url, 'SELECT kind, data FROM notices WHERE account_id = $1', [person.accountId]);
  assert.deepEqual(notices, [{ kind: 'balance_credited', data: { amount: '5000' } }]);
  assert.equal((await desk.payouts.creditAccount({ ...credit, key: 'kopeck', amountKopecks: 1n })).kind, 'credited');
});

async function ask(person: Person, key: string, amountKopecks = 5_000n) {
  const outcome = await desk.payouts.requestDeposit({ accountId: person.accountId, amountKopecks, key });
  assert.ok(outcome.kind === 'requested', outcome.kind);
  return outcome;
}

test('a repeated deposit request creates one request, and keys belong to one account', async () => {
  const [person, other] = [await desk.person(), await desk.person()];
  const first = await ask(person, 'a');
  assert.deepEqual([first.isRepeat, first.request.status, first.request.amountKopecks], [false, 'open', 5_000n]);
  const again = await ask(person, 'a', 9_000n);
  assert.deepEqual([again.isRepeat, again.request], [true, first.request]);
  const theirs = await ask(other, 'a');
  assert.deepEqual([theirs.isRepeat, theirs.request.accountId], [false, other.accountId]);
  const outcomes = await Promise.all(range(5).map(() => ask(person, 'at once')));
  assert.equal(new Set(outcomes.map(({ request }) => request.id)).size, 1);
});

test('a deposit request needs an amount, and an account can have five open requests', async () => {
  const person = await desk.person();
  const requested = { accountId: person.accountId, key: 'x' };
  assert.deepEqual(await desk.payouts.requestDeposit({ ...requested, amountKopecks: 0n }), { kind: 'invalid_amount' });
  for (const i of range(5)) await ask(person, `open ${i}`, 1n);
  const sixth = { ...requested, amountKopecks: 1n };
  assert.deepEqual(await desk.payouts.requestDeposit(sixth), { kind: 'too_many_open', most: 5 });
  assert.equal((await ask(person, 'open 0')).isRepeat, true, 'a repeat is no further request');
  await ask(await desk.person(), 'of another person');
  const { request } = await ask(person, 'open 1');
  assert.equal((await desk.payouts.declineDeposit({ requestId: request.id })).kind, 'declined');
  assert.equal((await ask(person, 'x')).isRepeat, false);
});

test('open deposit requests are listed oldest first after the given id', async () => {
  const person = await desk.person();
  const ids: number[] = [];
  for (const i of range(4)) ids.push((await ask(person, `listed ${i}`)).request.id);
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  await desk.payouts.declineDeposit({ requestId: third });
  const listed = async (after: number, limit: number): Promise<number[]> =>
    (await desk.payouts.listDepositRequests({ after, limit })).map(({ id }) => id);
  assert.deepEqual(await listed(first - 1, 2), [first, second]);
  assert.deepEqual(await listed(second, 10), [fourth]);
  assert.equal((await desk.payouts.findDepositRequest(second))?.id, second);
  const before = await desk.payouts.countDepositRequests();
  await desk.payouts.declineDeposit({ requestId: fourth });
  assert.equal(await desk.payouts.countDepositRequests(), before - 1);
});

test('a banned or unknown account cannot request a deposit', async () => {
  const person = await desk.person();
  await query(desk.url, "UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1", [
    person.accountId,
  ]);
  for (const accountId of [person.accountId, 999_999])
    assert.deepEqual(await desk.payouts.requestDeposit({ accountId, amountKopecks: 5n, key: 'k' }), {
      kind: 'account_banned',
    });
});

test('a deposit request is closed once, by a credit of its own account or by a refusal', async () => {
  const [person, other] = [await desk.person(), await desk.person()];
  const { request } = await ask(person, 'answer');
  const credit = { key: 'bank answer', amountKopecks: 4_000n, note: '', operatorId: 7, depositRequestId: request.id };
  const wrong = await desk.payouts.creditAccount({ ...credit, accountId: other.accountId });
  assert.deepEqual(wrong, { kind: 'request_closed' }, 'it is another account that asked');
  assert.deepEqual(await desk.payouts.creditAccount({ ...credit, accountId: person.accountId }), { kind: 'credited' });
  assert.deepEqual(await desk.payouts.creditAccount({ ...credit, accountId: person.accountId }), {
    kind: 'already_credited',
  });
  assert.equal(await balance(person), 4_000);
  const second = { ...credit, key: 'bank second', accountId: person.accountId };
  assert.deepEqual(await desk.payouts.creditAccount(second), { kind: 'request_closed' });
  assert.deepEqual(await desk.payouts.declineDeposit({ requestId: request.id }), {
    kind: 'not_open',
    status: 'credited',
  });

  const declined = (await ask(person, 'decline')).request;
  const decline = () => declineDeposit(desk.payouts.deps, { requestId: declined.id, operatorId: 7 });
  assert.deepEqual(await decline(), { kind: 'declined', request: declined });
  assert.deepEqual(await decline(), { kind: 'not_open', status: 'declined' });
  assert.deepEqual(await logged(`deposit:${declined.id}`), ['deposit.declined']);
  const late = { ...second, depositRequestId: declined.id };
  assert.deepEqual(await desk.payouts.creditAccount(late), { kind: 'request_closed' });
  assert.deepEqual(await desk.payouts.declineDeposit({ requestId: 999_999 }), { kind: 'not_found' });
  assert.equal(await balance(person), 4_000);
  await desk.assertBooks();
});

test('without Crypto Pay payouts are manual, invoices are unavailable and the jobs do nothing', async () => {
  const { db } = desk.database;
  const plain = bindPayouts({
    db,
    clock: desk.clock,
    minimumKopecks: MINIMUM_KOPECKS,
    cryptoPay: undefined,
  });
  const person = await desk.person(20_000n);
  const request = { accountId: person.accountId, key: 'k', amountKopecks: 20_000n, destination: '5' } as const;
  assert.deepEqual(await plain.request({ ...request, method: 'crypto-pay' }), { kind: 'method_unavailable' });
  assert.equal((await plain.request({ ...request, method: 'manual' })).kind, 'requested');
  assert.equal((await plain.createInvoice({ accountId: person.accountId, amountKopecks: 100n })).kind, 'unavailable');
  assert.deepEqual([await plain.sendApproved(), await plain.reconcileInvoices()], [0, 0]);
});
