import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '../../core/secrets.ts';
import { isValidChallenge, signChallenge } from './challenge.ts';

const secrets = createSecrets('a key for tests, long enough to be one');
const NOW = new Date('2026-01-10T09:00:00Z');
const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

test('a challenge is valid for its user and for a while', () => {
  const challenge = signChallenge(secrets, 7, NOW);
  assert.ok(isValidChallenge(secrets, challenge, 7, NOW));
  assert.ok(isValidChallenge(secrets, challenge, 7, later(29)));
  assert.equal(isValidChallenge(secrets, challenge, 7, later(31)), false, 'too old');
  assert.equal(isValidChallenge(secrets, challenge, 7, later(-2)), false, 'from the future');
  assert.equal(isValidChallenge(secrets, challenge, 8, NOW), false, 'of another user');
});

test('a forged challenge is invalid', () => {
  const [issued = '', signature = ''] = signChallenge(secrets, 7, NOW).split('.');
  const other = signature.startsWith('A') ? 'B' : 'A';
  for (const text of [
    '',
    '.',
    issued,
    `${issued}.`,
    `${issued}.${other}${signature.slice(1)}`,
    `1${issued}.${signature}`,
  ]) {
    assert.equal(isValidChallenge(secrets, text, 7, NOW), false, text);
  }
});
