import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Change, decodeChange, encodeChange } from './changes.ts';

fc.configureGlobal({ seed: 1 });

test('decoding an encoded change returns the same change', () => {
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record(
      {
        kind: fc.constantFrom('order', 'bot', 'link', 'checker', 'advertiser'),
        id: fc.nat({ max: 999_999_999_999_999 }),
      },
      { noNullPrototype: true },
    ),
    fc.constant({ kind: 'everything' as const }),
  );
  fc.assert(fc.property(change, (written) => assert.deepEqual(decodeChange(encodeChange(written)), written)));
});

test('an unknown payload, such as one from a newer version, is ignored', () => {
  const foreign = [
    '',
    'order',
    'order:',
    'order:x',
    'order:-1',
    'order:1 ',
    ' order:1',
    'user:1',
    'Order:1',
    'bot:1:2',
  ];
  for (const payload of [...foreign, 'everything:1', 'order:1\n', 'order:1.5', 'order:9007199254740993']) {
    assert.equal(decodeChange(payload), undefined, JSON.stringify(payload));
  }
});

test('decodeChange throws for no payload, and no id loses a digit', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(order|bot|link):\d{1,20}$/)), (payload) => {
      const change = decodeChange(payload);
      if (change !== undefined)
        assert.equal(encodeChange(change).replace(/:0+(?=\d)/, ':'), payload.replace(/:0+(?=\d)/, ':'));
    }),
  );
});
