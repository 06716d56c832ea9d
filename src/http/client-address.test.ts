import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyTrust, isAddressRange, networkOf } from './client-address.ts';

test('only listed proxies are trusted, in every notation of their address', () => {
  const isTrusted = createProxyTrust(['127.0.0.1', '10.1.0.0/16', '2001:db8::/32']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.255', '2001:db8:1::1', '127.0.0.1']) {
    assert.equal(isTrusted(address), true, address);
  }
  for (const address of ['127.0.0.2', '10.2.0.1', '2001:db9::1', '::1', '', 'unknown', '127.0.0.1, 10.1.0.1']) {
    assert.equal(isTrusted(address), false, address);
  }
});

test('an empty list trusts no address', () => {
  assert.equal(createProxyTrust([])('127.0.0.1'), false);
});

test('an invalid range is refused', () => {
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

test('limits count an IPv4 address as a whole and an IPv6 address by its first 64 bits', () => {
  for (const [address, network] of [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:198.51.100.7', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ]) {
    assert.equal(networkOf(address as string), network, address);
  }
});

test('an IPv4 address written as IPv6 counts as the IPv4 address', () => {
  for (const address of [
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '0:0:0:0:0:ffff:203.0.113.9',
    '64:ff9b::203.0.113.9',
  ])
    assert.equal(networkOf(address), '203.0.113.9', address);
  assert.equal(networkOf('::fffe:203.0.113.9'), '0:0:0:0::/64');
  assert.equal(networkOf('64:ff9b:1::203.0.113.9'), '64:ff9b:1:0::/64');
});

test('text that is not an address is returned unchanged', () => {
  for (const text of ['', 'unknown', 'a:b', '::1::2']) assert.equal(networkOf(text), text);
});
