import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canBecome, isClosed, isDestination, PAYOUT_STATUSES, type Payout, shorten } from './payout.ts';
import { decodeCursor, encodeCursor, presentPayout } from './routes.ts';

test('a closed payout never changes, and every open one can be closed', () => {
  for (const status of PAYOUT_STATUSES) {
    const next = PAYOUT_STATUSES.filter((to) => canBecome(status, to));
    assert.equal(isClosed(status), ['sent', 'rejected', 'failed'].includes(status));
    assert.equal(next.length === 0, isClosed(status));
    assert.ok(!next.includes(status));
  }
});

test('a payout in sending cannot be rejected, and only approved payouts are sent', () => {
  assert.ok(!canBecome('sending', 'rejected'));
  assert.ok(!canBecome('requested', 'sending'));
  assert.ok(!canBecome('requested', 'sent'));
});

test('Crypto Pay pays Telegram users: a destination is a user id', () => {
  for (const good of ['1', '5000000001', '999999999999999']) assert.ok(isDestination('crypto-pay', good), good);
  for (const bad of ['', '0', '01', '-5', '1e5', '@name', ' 5', '5 ', '1'.repeat(16), '5.0']) {
    assert.ok(!isDestination('crypto-pay', bad), bad);
  }
});

test('a cursor decodes to the position that it was made from', () => {
  const anyPosition = fc.record({
    createdAt: fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
    id: fc.integer({ min: 1, max: 10 ** 15 - 1 }),
  });
  fc.assert(
    fc.property(anyPosition, (position) => assert.deepEqual(decodeCursor(encodeCursor(position)), { ...position })),
  );
});

test('a malformed cursor is refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const position = decodeCursor(text);
      if (position !== undefined) assert.equal(encodeCursor(position), text);
    }),
  );
});

test('a payout has exactly these transitions', () => {
  const ways = PAYOUT_STATUSES.flatMap((from) =>
    PAYOUT_STATUSES.filter((to) => canBecome(from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(ways, [
    'requested approved',
    'requested rejected',
    'approved sending',
    'approved sent',
    'approved rejected',
    'sending approved',
    'sending sent',
    'sending failed',
  ]);
});

test('a manual destination is one line of at most 256 characters', () => {
  for (const good of ['a card', 'x'.repeat(256), ' 4276 ']) assert.ok(isDestination('manual', good), good);
  for (const bad of ['', '   ', 'x'.repeat(257), 'two\nlines', 'a\0b']) assert.ok(!isDestination('manual', bad), bad);
});

test('the text of a decision is cut to 500 characters and has no zero bytes', () => {
  assert.equal(shorten(`  ${'x'.repeat(501)}`), 'x'.repeat(500));
  assert.equal(shorten(' a\0b '), 'ab');
});

test('a cursor with impossible numbers is refused', () => {
  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  assert.deepEqual(decodeCursor(encode('0.1')), { createdAt: new Date(0), id: 1 });
  for (const text of ['0.0', '0.01', `0.${'1'.repeat(16)}`, `${'1'.repeat(16)}.1`, '1', '.1', 'a.1'])
    assert.equal(decodeCursor(encode(text)), undefined, text);
});

const CREATED = new Date('2026-03-01T12:00:00Z');
const CLOSED = new Date('2026-03-02T12:00:00Z');
const payout = {
  id: 5,
  amountKopecks: 12_345n,
  method: 'manual',
  status: 'requested',
  reason: null,
  reference: null,
  createdAt: CREATED,
  closedAt: null,
} as unknown as Payout;

test('a payout shows the statuses of the contract and the fields of each status', () => {
  const shown = { payout_id: 5, amount: 123.45, method: 'manual', created_at: '2026-03-01T12:00:00.000+00:00' };
  for (const [status, wire] of [
    ['requested', 'requested'],
    ['approved', 'approved'],
    ['sending', 'approved'],
  ] as const)
    assert.deepEqual(presentPayout({ ...payout, status }), { ...shown, status: wire });
  const closed = { ...payout, closedAt: CLOSED };
  assert.deepEqual(presentPayout({ ...closed, status: 'sent', reference: 'r' }), {
    ...shown,
    status: 'sent',
    sent_at: '2026-03-02T12:00:00.000+00:00',
    reference: 'r',
  });
  for (const status of ['rejected', 'failed'] as const)
    assert.deepEqual(presentPayout({ ...closed, status, reason: 'no' }), { ...shown, status, reason: 'no' });
});
