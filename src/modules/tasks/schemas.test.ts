import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { ConfirmBody, ConfirmManyBody, GetSponsorsBody } from './schemas.ts';

const MAX_ID = Number.MAX_SAFE_INTEGER;

test('the fields of get-sponsors are limited in length and size', () => {
  const longest = { first_name: 256, username: 64, language_code: 35 };
  for (const [field, length] of Object.entries(longest)) {
    assert.ok(Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x'.repeat(length) }), field);
    assert.ok(!Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x'.repeat(length + 1) }), field);
    assert.ok(!Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x\u0000' }), field);
  }
  for (const [field, smallest, largest] of [
    ['chat_id', -MAX_ID, MAX_ID],
    ['max_sponsors', 1, 1e300],
  ] as const) {
    const taken = [smallest - 1, smallest, largest, largest + 1].map((value) =>
      Value.Check(GetSponsorsBody, { user_id: 1, [field]: value }),
    );
    assert.deepEqual(taken, [false, true, true, field === 'max_sponsors'], field);
  }
  assert.ok(Value.Check(GetSponsorsBody, { user_id: 1, language_code: null, is_premium: null }));
});

test('ids are integers from 1 to the largest safe integer', () => {
  for (const id of [1, MAX_ID]) assert.ok(Value.Check(ConfirmBody, { user_id: id, ads_id: id }), String(id));
  for (const id of [0, MAX_ID + 1, 1.5]) {
    assert.ok(!Value.Check(ConfirmBody, { user_id: id, ads_id: 1 }), String(id));
    assert.ok(!Value.Check(ConfirmBody, { user_id: 1, ads_id: id }), String(id));
  }
});

test('a request confirms 1 to 50 tasks', () => {
  const many = (count: number) => ({ user_id: 1, ads_ids: Array.from({ length: count }, (_, i) => i + 1) });
  assert.deepEqual(
    [0, 1, 50, 51].map((count) => Value.Check(ConfirmManyBody, many(count))),
    [false, true, true, false],
  );
});
