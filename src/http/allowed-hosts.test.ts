import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostCheck, isHostName } from './allowed-hosts.ts';

const isAllowed = createHostCheck(['Sponsors.example', 'my_upstream']);

test('our own names, localhost and addresses are allowed with any port', () => {
  for (const host of [
    'sponsors.example',
    'SPONSORS.example:443',
    'sponsors.example.',
    'sponsors.example.:8080',
    'my_upstream',
    'localhost',
    'localhost:8080',
    '127.0.0.1:8080',
    '10.0.0.11:9000',
    '[::1]',
    '[::1]:8080',
    '[::ffff:10.0.0.1]:80',
  ]) {
    assert.equal(isAllowed(host), true, host);
    assert.equal(isAllowed(host), true, `${host}, from the cache`);
  }
});

test('a request without a Host header is allowed, because browsers always send one', () => {
  assert.equal(isAllowed(undefined), true);
  assert.equal(isAllowed(''), true);
});

test('every other name is refused, including similar ones', () => {
  for (const host of [
    'evil.example',
    'evil.example:8080',
    'sponsors.example.evil.example',
    'evil-sponsors.example',
    'sponsors',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '[::1].evil.example',
    '[evil.example]',
    '[::1',
    '::1',
    'localhost:8080:8080',
    'localhost:port',
    'user@localhost',
    'localhost/',
    'localhost, evil.example',
    'evil.example#localhost',
    ' localhost',
    '.',
  ]) {
    assert.equal(isAllowed(host), false, host);
  }
});

test('ALLOWED_HOSTS accepts no scheme, port, path or wildcard', () => {
  for (const name of ['sponsors.example', 'api', 'my_upstream', 'xn--e1afmkfd.xn--p1ai', '10.0.0.1', 'a'])
    assert.equal(isHostName(name), true, name);
  for (const name of ['', '*', '*.example', 'https://a.example', 'a.example:80', 'a.example/', '-a', 'a-', '.a', 'a b'])
    assert.equal(isHostName(name), false, name);
});
