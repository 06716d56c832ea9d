import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { isSignedBy, paidInvoiceIn } from './crypto-pay.ts';

const TOKEN = '12345:AAtoken';
const body = Buffer.from('{"update_type":"invoice_paid"}');
const signature = createHmac('sha256', createHash('sha256').update(TOKEN).digest()).update(body).digest('hex');

test('a notification is signed over its raw body with the hash of the token', () => {
  assert.equal(isSignedBy(TOKEN, body, signature), true);
  assert.equal(isSignedBy(TOKEN, body, signature.toUpperCase()), true);
  assert.equal(isSignedBy('12345:other', body, signature), false);
  assert.equal(isSignedBy(TOKEN, Buffer.from(`${body} `), signature), false);
  for (const wrong of ['', signature.slice(2), `${signature}00`, 'f'.repeat(64), 'x'.repeat(64)])
    assert.equal(isSignedBy(TOKEN, body, wrong), false, wrong);
});

test('only a notification of a paid invoice is accepted', () => {
  const paid = { update_type: 'invoice_paid', payload: { invoice_id: 7, status: 'paid' } };
  const read = (notice: unknown): number | undefined => paidInvoiceIn(Buffer.from(JSON.stringify(notice)));
  assert.equal(read(paid), 7);
  assert.equal(read({ ...paid, payload: { ...paid.payload, invoice_id: 1 } }), 1);
  for (const other of [
    { ...paid, update_type: 'invoice_expired' },
    { ...paid, payload: { invoice_id: 7, status: 'active' } },
    { ...paid, payload: { invoice_id: 0, status: 'paid' } },
    { ...paid, payload: { invoice_id: '7', status: 'paid' } },
    { ...paid, payload: { status: 'paid' } },
    null,
    [],
  ])
    assert.equal(read(other), undefined, JSON.stringify(other));
  assert.equal(paidInvoiceIn(Buffer.from('{')), undefined);
});
