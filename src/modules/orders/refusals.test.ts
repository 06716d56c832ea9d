import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../core/errors.ts';
import {
  kopecksOf,
  orderIdIn,
  orderNotFound,
  ownerBanned,
  refuseFilters,
  resourceOf,
  tooPoor,
  wrongStatus,
} from './refusals.ts';
import { usernameIn } from './resource-resolver.ts';

/** Returns the code and the fields of the error that a call throws. */
function refusalOf(call: () => unknown): [code: string, ...fields: string[]] {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return [error.code, ...(error.fields ?? []).map(({ field }) => field)];
  }
  return ['nothing was thrown'];
}

test('a price is positive and has at most two decimals', () => {
  assert.equal(kopecksOf('price_per_sub', 0.01), 1n);
  assert.equal(kopecksOf('price_per_sub', 12.3), 1_230n);
  for (const rubles of [0, -1, 0.001, Number.NaN, 1e12])
    assert.deepEqual(
      refusalOf(() => kopecksOf('price_per_sub', rubles)),
      ['validation_failed', 'price_per_sub'],
    );
});

test('a body with the field filters is rejected, any other body is not', () => {
  assert.deepEqual(
    refusalOf(() => refuseFilters({ filters: undefined })),
    ['filters_not_here', 'filters'],
  );
  for (const body of [undefined, null, 'filters', 5, {}, { filter: 1 }]) refuseFilters(body);
});

test('a rejected resource names its field, and an unavailable Telegram is a retryable error', () => {
  const resource = { type: 'channel', chatId: -1 } as const;
  assert.equal(resourceOf({ kind: 'resolved', resource }), resource);
  assert.deepEqual(
    refusalOf(() => resourceOf({ kind: 'unavailable' })),
    ['telegram_unavailable'],
  );
  assert.deepEqual(
    refusalOf(() => resourceOf({ kind: 'refused', field: 'link', message: 'leads nowhere' })),
    ['resource_refused', 'link'],
  );
});

test('an order id in a path has no sign, no leading zero and at most 15 digits', () => {
  assert.equal(orderIdIn('1'), 1);
  assert.equal(orderIdIn('9'.repeat(15)), 999_999_999_999_999);
  for (const text of ['', '0', '01', '-1', '1.5', '1e3', '9'.repeat(16), ' 1', 'x'])
    assert.deepEqual(
      refusalOf(() => orderIdIn(text)),
      ['order_not_found'],
      text,
    );
});

test('every refusal has the expected code', () => {
  assert.equal(orderNotFound(5).code, 'order_not_found');
  assert.equal(wrongStatus(5, 'paused').code, 'wrong_status');
  assert.equal(ownerBanned().code, 'invalid_token');
  const poor = tooPoor(1_050n, 3n);
  assert.equal(poor.code, 'insufficient_funds');
  assert.match(poor.message, /10\.50 ₽.*0\.03 ₽/);
});

test('the public name is read only from links to Telegram', () => {
  for (const link of [
    'https://t.me/name',
    'http://t.me/name?start=1',
    'https://telegram.me/name/5',
    'https://t.me/name#x',
  ])
    assert.equal(usernameIn(link), 'name', link);
  for (const link of [
    'https://t.me/+invite',
    'https://t.me/joinchat/abc',
    'https://t.me/abc',
    'https://t.me/1name',
    'https://t.me.evil.example/name',
    'https://evil.example/t.me/name',
    't.me/name',
    `https://t.me/${'a'.repeat(65)}`,
  ])
    assert.notEqual(usernameIn(link), 'name', link);
  assert.equal(usernameIn('https://t.me/+invite'), undefined);
  assert.equal(usernameIn(`https://t.me/${'a'.repeat(64)}`)?.length, 64);
  assert.equal(usernameIn(`https://t.me/${'a'.repeat(65)}`), undefined);
});
