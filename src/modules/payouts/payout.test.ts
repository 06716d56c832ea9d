import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { canBecome, isClosed, isDestination, PAYOUT_STATUSES } from './payout.ts';

test('nothing leads out of a closed payout, and every open one can be closed', () => {
  for (const status of PAYOUT_STATUSES) {
    const next = PAYOUT_STATUSES.filter((to) => canBecome(status, to));
    assert.equal(isClosed(status), ['sent', 'rejected', 'failed'].includes(status));
    assert.equal(next.length === 0, isClosed(status));
    assert.ok(!next.includes(status));
  }
});

test('what is being sent cannot be rejected, and nothing is sent that was not approved', () => {
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

test('a cursor says where it was made', () => {
  const anyPosition = fc.record({
    createdAt: fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
    id: fc.integer({ min: 1, max: 10 ** 15 - 1 }),
  });
  fc.assert(
    fc.property(anyPosition, (position) => assert.deepEqual(decodeCursor(encodeCursor(position)), { ...position })),
  );
});

test('a text that is no cursor is none, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const position = decodeCursor(text);
      if (position !== undefined) assert.equal(encodeCursor(position), text);
    }),
  );
});
