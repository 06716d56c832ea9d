import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from './canonical-json.ts';

test('canonicalJson ignores key order and null fields at any depth, but not values or the order of arrays', () => {
  const one = canonicalJson({ b: 1, a: [{ y: 'x', x: 2 }], c: null });
  assert.equal(one, canonicalJson({ a: [{ x: 2, y: 'x', z: null }], b: 1 }));
  assert.equal(one, '{"a":[{"x":2,"y":"x"}],"b":1}');
  assert.notEqual(one, canonicalJson({ a: [{ x: 2, y: 'x' }], b: '1' }));
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  assert.notEqual(canonicalJson([null]), canonicalJson([]));
});
