import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { ConfirmBody, ConfirmManyBody, GetSponsorsBody, PostbackBody } from './schemas.ts';

const MAX_ID = Number.MAX_SAFE_INTEGER;

test('a postback may have a click id of 64 characters and a signature of 128, and no more', () => {
  const body = { click_id: 'c'.repeat(64), status: 'approved', signature: 's'.repeat(128) };
  assert.ok(Value.Check(PostbackBody, body));
  assert.ok(Value.Check(PostbackBody, { ...body, status: 'rejected' }));
  assert.ok(!Value.Check(PostbackBody, { ...body, click_id: 'c'.repeat(65) }));
  assert.ok(!Value.Check(PostbackBody, { ...body, signature: 's'.repeat(129) }));
  assert.ok(!Value.Check(PostbackBody, { ...body, status: 'pending' }));
});

test('ids are whole numbers from 1 to the largest that every reader agrees on', () => {
  for (const id of [1, MAX_ID]) assert.ok(Value.Check(ConfirmBody, { user_id: id, ads_id: id }), String(id));
  for (const id of [0, MAX_ID + 1, 1.5]) {
    assert.ok(!Value.Check(ConfirmBody, { user_id: id, ads_id: 1 }), String(id));
    assert.ok(!Value.Check(ConfirmBody, { user_id: 1, ads_id: id }), String(id));
  }
});

test('1 to 50 tasks are confirmed together', () => {
  const many = (count: number) => ({ user_id: 1, ads_ids: Array.from({ length: count }, (_, i) => i + 1) });
  assert.deepEqual(
    [0, 1, 50, 51].map((count) => Value.Check(ConfirmManyBody, many(count))),
    [false, true, true, false],
  );
});

test('what a bot tells of a user has its longest and largest values', () => {
  const longest = { first_name: 256, username: 64, language_code: 35 };
  for (const [field, length] of Object.entries(longest)) {
    assert.ok(Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x'.repeat(length) }), field);
    assert.ok(!Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x'.repeat(length + 1) }), field);
    assert.ok(!Value.Check(GetSponsorsBody, { user_id: 1, [field]: 'x\u0000' }), field);
  }
  for (const [field, smallest, largest] of [
    ['chat_id', -MAX_ID, MAX_ID],
    ['max_sponsors', 1, 50],
  ] as const) {
    const taken = [smallest - 1, smallest, largest, largest + 1].map((value) =>
      Value.Check(GetSponsorsBody, { user_id: 1, [field]: value }),
    );
    assert.deepEqual(taken, [false, true, true, false], field);
  }
  const unknown = { chat_id: null, first_name: null, username: null, language_code: null, is_premium: null };
  assert.ok(Value.Check(GetSponsorsBody, { user_id: 1, ...unknown, max_sponsors: null, action: null }));
});
