import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { PostbackBody } from './postback-routes.ts';

test('a postback may have a click id of 64 characters and a signature of 128, and no more', () => {
  const body = { click_id: 'c'.repeat(64), status: 'approved', signature: 's'.repeat(128) };
  assert.ok(Value.Check(PostbackBody, body));
  assert.ok(Value.Check(PostbackBody, { ...body, status: 'rejected' }));
  assert.ok(!Value.Check(PostbackBody, { ...body, click_id: 'c'.repeat(65) }));
  assert.ok(!Value.Check(PostbackBody, { ...body, signature: 's'.repeat(129) }));
  assert.ok(!Value.Check(PostbackBody, { ...body, status: 'pending' }));
});
