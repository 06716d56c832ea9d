import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSecrets, sha256 } from './secrets.ts';

fc.configureGlobal({ seed: 1 });

const secrets = createSecrets('a key for tests that is long enough');
const other = createSecrets('another key for tests, as long as it');
const text = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('encrypt', () => {
  test('decrypt returns the exact text that was encrypted', () => {
    fc.assert(
      fc.property(text, fc.string(), (plain, purpose) => {
        assert.equal(secrets.decrypt(purpose, secrets.encrypt(purpose, plain)), plain);
      }),
    );
  });

  test('a restarted process decrypts texts from before the restart', () => {
    const sealed = createSecrets('the same key, the same key, the same').encrypt('token', 'hello');
    assert.equal(createSecrets('the same key, the same key, the same').decrypt('token', sealed), 'hello');
  });

  test('each encryption of a text gives different bytes, and none contains the text', () => {
    const sealed = Array.from({ length: 50 }, () => secrets.encrypt('token', 'a bot token').toString('latin1'));
    assert.equal(new Set(sealed).size, 50);
    for (const one of sealed) assert.ok(!one.includes('bot'));
  });

  test('decrypt refuses a text with one changed bit', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (plain, at, bit) => {
        const sealed = secrets.encrypt('token', plain);
        const index = at % sealed.length;
        sealed[index] = (sealed[index] ?? 0) ^ (1 << bit);
        assert.throws(() => secrets.decrypt('token', sealed));
      }),
    );
  });

  test('decrypt refuses a text that is one or more bytes shorter or longer', () => {
    for (const plain of ['', 'x', 'a bot token']) {
      const sealed = secrets.encrypt('token', plain);
      for (let length = 0; length < sealed.length; length++) {
        assert.throws(() => secrets.decrypt('token', sealed.subarray(0, length)), `${length} of ${sealed.length}`);
      }
      assert.throws(() => secrets.decrypt('token', Buffer.concat([sealed, Buffer.of(0)])));
    }
  });

  test('decrypt refuses a text of another purpose or another key', () => {
    const sealed = secrets.encrypt('token', 'hello');
    assert.throws(() => secrets.decrypt('cookie', sealed));
    assert.throws(() => other.decrypt('token', sealed));
  });
});

describe('sign', () => {
  test('returns equal signatures for equal input, and different ones for another purpose, text or key', () => {
    const sign = (by: typeof secrets, purpose: string, signed: string) => by.sign(purpose, signed).toString('hex');
    const signature = sign(secrets, 'link', 'user 1');
    assert.match(signature, /^[0-9a-f]{64}$/);
    assert.equal(sign(createSecrets('a key for tests that is long enough'), 'link', 'user 1'), signature);
    const others = [sign(secrets, 'link', 'user 2'), sign(secrets, 'webhook', 'user 1'), sign(other, 'link', 'user 1')];
    assert.equal(new Set([signature, ...others]).size, 4);
  });
});

test('sha256 is SHA-256', () => {
  assert.equal(sha256('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
