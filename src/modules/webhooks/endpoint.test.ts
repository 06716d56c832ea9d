import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUrl, generateSecret } from './endpoint.ts';

const live = { allowLoopback: false };
const sandbox = { allowLoopback: true };

test('an IP address that is not public is refused in every notation', () => {
  const hosts = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '0'],
    ...[
      '10.0.0.1',
      '0xa.0.0.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '①②⑦.0.0.1',
      '127。0。0。1',
      '%31%32%37.0.0.1',
    ],
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[64:ff9b::7f00:1]', '[fd00::1]', '[fe80::1]', '[::]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost'],
  ];
  for (const host of hosts) {
    const checked = checkUrl(`http://${host}/hook`, live);
    assert.equal(checked.ok, false, host);
    assert.match(checked.ok ? '' : checked.message, /public address/, host);
  }
});

test('a sandbox accepts endpoints on its own machine and no other private address', () => {
  for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080']) {
    assert.deepEqual(checkUrl(`http://${host}/in`, sandbox), { ok: true, url: `http://${host}/in` });
  }
  for (const host of ['10.0.0.1', '192.168.1.1', '[::ffff:10.0.0.1]']) {
    assert.equal(checkUrl(`http://${host}/in`, sandbox).ok, false, host);
  }
});

test('only http and https addresses without a password are accepted', () => {
  for (const text of [
    '',
    'example.com',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://',
    'https://u:p@example.com/',
  ]) {
    assert.equal(checkUrl(text, live).ok, false, text);
  }
  assert.deepEqual(checkUrl('https://Example.com/a?b=c#d', live), { ok: true, url: 'https://example.com/a?b=c' });
  assert.equal(checkUrl(`https://example.com/${'ы'.repeat(1000)}`, live).ok, false, 'too long once it is encoded');
});

test('a secret is whsec_ and 32 random bytes, and is unique', () => {
  const secrets = Array.from({ length: 100 }, generateSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  }
});
