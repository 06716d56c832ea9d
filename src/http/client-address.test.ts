import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyTrust, isAddressRange } from './client-address.ts';

test('only the listed proxies are believed, however their address is written', () => {
  const isTrusted = createProxyTrust(['127.0.0.1', '10.1.0.0/16', '2001:db8::/32']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.255', '2001:db8:1::1', '127.0.0.1']) {
    assert.equal(isTrusted(address), true, address);
  }
  for (const address of ['127.0.0.2', '10.2.0.1', '2001:db9::1', '::1', '', 'unknown', '127.0.0.1, 10.1.0.1']) {
    assert.equal(isTrusted(address), false, address);
  }
});

test('without a list nobody is believed', () => {
  assert.equal(createProxyTrust([])('127.0.0.1'), false);
});

test('a range that is none stops the start', () => {
  for (const text of [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::1/129',
    '10.0.0/8',
    '*',
    'loopback',
  ]) {
    assert.equal(isAddressRange(text), false, text);
    assert.throws(() => createProxyTrust([text]), /not an address/);
  }
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fc00::/7', '0.0.0.0/0'])
    assert.equal(isAddressRange(text), true);
});
