import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { GetSponsorsBody } from './schemas.ts';

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
