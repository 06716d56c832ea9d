import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecrets } from '../../core/secrets.ts';
import { readPersonalToken, signPersonalToken } from './personal-token.ts';

const secrets = createSecrets('a key for tests, long enough to be one');
const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');
const token = signPersonalToken(secrets, { userId: 42, code: 'abcd1234', expiresAt: LATER });

test('a token returns the user id that it was created with', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (userId) => {
      const signed = signPersonalToken(secrets, { userId, code: 'abcd1234', expiresAt: LATER });
      assert.deepEqual(readPersonalToken(secrets, signed, 'abcd1234', NOW), { kind: 'valid', userId });
      assert.match(signed, /^[\w-]{36}$/);
    }),
  );
});

test('a token expires at the exact second', () => {
  assert.equal(readPersonalToken(secrets, token, 'abcd1234', new Date(LATER.getTime() - 1)).kind, 'valid');
  assert.equal(readPersonalToken(secrets, token, 'abcd1234', LATER).kind, 'expired');
});

test('a token of another link or another key is invalid', () => {
  assert.equal(readPersonalToken(secrets, token, 'abcd1235', NOW).kind, 'invalid');
  assert.equal(
    readPersonalToken(createSecrets('another key, also long enough to be one'), token, 'abcd1234', NOW).kind,
    'invalid',
  );
});

test('a token with any one bit changed is invalid', () => {
  const bytes = Buffer.from(token, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.equal(
      readPersonalToken(secrets, forged.toString('base64url'), 'abcd1234', NOW).kind,
      'invalid',
      `bit ${bit}`,
    );
  }
});

test('text that does not have the shape of a token is invalid', () => {
  for (const text of [
    '',
    'x',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    '\0'.repeat(36),
    'я'.repeat(36),
    'A'.repeat(36),
  ]) {
    assert.equal(readPersonalToken(secrets, text, 'abcd1234', NOW).kind, 'invalid', text);
  }
});
