import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MoneyDesk } from '../support/money-desk.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { range } from '../support/users.ts';
import { assertRefused } from './refusals.ts';

let desk: MoneyDesk;
let server: { readonly sandbox: Sandbox; close(): Promise<void> };
before(async () => {
  desk = await MoneyDesk.open();
  server = await desk.serve();
});
after(async () => {
  await server.close();
  await desk.close();
});

const list = (token: string, query = '') =>
  server.sandbox.call('GET', `/api/v1/payouts${query}`, undefined, { auth: token });

const idsIn = (body: { payouts: { payout_id: number }[] }): number[] => body.payouts.map((p) => p.payout_id);

test('the list has exactly the documented fields for each status of a payout, newest first', async () => {
  const person = await desk.person(100_000n);
  const token = await desk.token(person);
  const sent = await desk.requested(person, 10_050n, 'manual');
  await desk.payouts.approve({ payoutId: sent, operatorId: 7 });
  desk.clock.advance(5);
  await desk.payouts.markSent({ payoutId: sent, reference: 'receipt 1' });
  const rejected = await desk.requested(person, 10_000n, 'manual');
  await desk.payouts.reject({ payoutId: rejected, reason: 'no such card' });
  const approved = await desk.requested(person, 10_000n);
  await desk.payouts.approve({ payoutId: approved, operatorId: 7 });
  const requested = await desk.requested(person, 10_000n);

  const { status, body } = await list(token);
  assert.equal(status, 200);
  const at = desk.clock.now().toISOString().replace('Z', '+00:00');
  const common = { amount: 100, method: 'crypto-pay', created_at: at };
  assert.deepEqual(body, {
    payouts: [
      { payout_id: requested, ...common, status: 'requested' },
      { payout_id: approved, ...common, status: 'approved' },
      { payout_id: rejected, ...common, method: 'manual', status: 'rejected', reason: 'no such card' },
      {
        payout_id: sent,
        amount: 100.5,
        method: 'manual',
        status: 'sent',
        created_at: body.payouts[3].created_at,
        sent_at: at,
        reference: 'receipt 1',
      },
    ],
    next_cursor: null,
    has_more: false,
  });
});

test('a payout whose outcome is unknown is shown to its owner as approved', async () => {
  await desk.payouts.sendApproved(); // sends the payouts of other tests
  const person = await desk.person(20_000n);
  const token = await desk.token(person);
  const payoutId = await desk.approved(person, 20_000n);
  desk.bank.fail('transfer', { mode: 'error_500', done: 'before' });
  await desk.payouts.sendApproved();
  assert.equal(await desk.statusOf(payoutId), 'sending');
  const { body } = await list(token);
  assert.equal(body.payouts[0].status, 'approved');
  desk.clock.advance(3600);
  await desk.payouts.sendApproved();
  assert.equal((await list(token)).body.payouts[0].status, 'sent');
});

test('every payout appears on exactly one page, even when new payouts are created between pages', async () => {
  const person = await desk.person(10_000_000n);
  const token = await desk.token(person);
  const ids: number[] = [];
  for (const n of range(11)) {
    if (n % 3 === 0) desk.clock.advance(1); // several payouts share a time
    ids.unshift(await desk.requested(person, 10_000n));
  }
  const seen: number[] = [];
  let query = '?limit=3';
  for (;;) {
    const { status, body } = await list(token, query);
    assert.equal(status, 200);
    seen.push(...idsIn(body));
    await desk.requested(person, 10_000n); // a new payout between two pages
    assert.equal(body.has_more, body.next_cursor !== null);
    if (!body.has_more) break;
    assert.equal(body.payouts.length, 3);
    query = `?limit=3&cursor=${body.next_cursor}`;
  }
  assert.deepEqual(seen, ids);
});

test('a page that ends with the last payout is the last page', async () => {
  const person = await desk.person(100_000n);
  const token = await desk.token(person);
  for (const _ of range(2)) await desk.requested(person, 10_000n);
  const { body } = await list(token, '?limit=2');
  assert.deepEqual([body.payouts.length, body.has_more, body.next_cursor], [2, false, null]);
});

test('a page has 20 payouts by default and at most 100', async () => {
  const person = await desk.person(10_000_000n);
  const token = await desk.token(person);
  for (const _ of range(21)) await desk.requested(person, 10_000n);
  assert.equal((await list(token)).body.payouts.length, 20);
  assert.equal((await list(token, '?limit=100')).body.payouts.length, 21);
});

for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=ten', 'limit=1.5', 'limit=', 'limit=1&limit=2']) {
  test(`${query} returns 422`, async () => {
    const token = await desk.token(await desk.person());
    const response = await fetch(`${server.sandbox.url}/api/v1/payouts?${query}`, { headers: { auth: token } });
    await assertRefused(response, 422, query, 'limit');
  });
}

for (const cursor of ['x', 'MTIz', Buffer.from('1.1 ').toString('base64url'), '%00', 'a'.repeat(101)]) {
  test(`the cursor ${cursor.slice(0, 30)} returns 422 and names the field`, async () => {
    const token = await desk.token(await desk.person());
    const url = `${server.sandbox.url}/api/v1/payouts?cursor=${cursor}`;
    const response = await fetch(url, { headers: { auth: token } });
    await assertRefused(response, 422, cursor, 'cursor');
  });
}

test('a cursor of another account returns no payouts of that account', async () => {
  const rich = await desk.person(1_000_000n);
  const richToken = await desk.token(rich);
  for (const _ of range(3)) await desk.requested(rich, 10_000n);
  const { body } = await list(richToken, '?limit=1');
  const stranger = await desk.token(await desk.person());
  const seen = await list(stranger, `?cursor=${body.next_cursor}`);
  assert.deepEqual(seen.body, { payouts: [], next_cursor: null, has_more: false });
});

test('a request without a token or without beta access returns 401', async () => {
  const person = await desk.person(100_000n);
  const plain = await desk.token(person, []);
  const url = `${server.sandbox.url}/api/v1/payouts`;
  await assertRefused(await fetch(url, { headers: { auth: plain } }), 401, 'a token without beta access');
  await assertRefused(await fetch(url), 401, 'no token');
});
