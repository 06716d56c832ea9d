import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { ConfirmBody, ConfirmManyBody } from './schemas.ts';

const MAX_ID = Number.MAX_SAFE_INTEGER;

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
