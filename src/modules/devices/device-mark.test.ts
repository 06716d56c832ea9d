import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '../../core/secrets.ts';
import { markAddress, markDevice } from './device-mark.ts';

const secrets = createSecrets('a key for tests, long enough to be one');
const JANUARY = new Date('2026-01-10T09:00:00Z');
const hex = (address: string, at = JANUARY, key = secrets): string | undefined =>
  markAddress(key, address, at)?.mark.toString('hex');

test('a mark has 16 bytes and does not contain the address', () => {
  const found = markAddress(secrets, '77.88.8.8', JANUARY);
  assert.equal(found?.kind, 'address');
  assert.equal(found.mark.length, 16);
  assert.equal(found.mark.includes(Buffer.from([77, 88, 8, 8])), false);
});

test('the same address has the same mark within a month, and another in the next month or with another key', () => {
  const mark = hex('77.88.8.8');
  assert.equal(hex('77.88.8.8', new Date('2026-01-31T23:59:59Z')), mark);
  assert.notEqual(hex('77.88.8.8', new Date('2026-02-01T00:00:00Z')), mark);
  assert.notEqual(hex('77.88.8.8', JANUARY, createSecrets('another key, also long enough to be one')), mark);
  assert.notEqual(hex('77.88.8.9'), mark);
});

test('an IPv6 address is marked by its network, and a mapped IPv4 address as IPv4', () => {
  assert.equal(hex('2a02:6b8:0:1::1'), hex('2a02:6b8:0:1:ffff::2'));
  assert.notEqual(hex('2a02:6b8:0:1::1'), hex('2a02:6b8:0:2::1'));
  assert.equal(hex('::ffff:77.88.8.8'), hex('77.88.8.8'));
});

test('loopback, private and invalid addresses have no mark', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.7',
    '172.20.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fd00::1',
    'fe80::1%eth0',
    'unknown',
    '',
  ]) {
    assert.equal(hex(address), undefined, address);
  }
});

test('a device and an address with the same text have different marks', () => {
  const device = markDevice(secrets, '77.88.8.8', JANUARY);
  assert.equal(device.kind, 'device');
  assert.notEqual(device.mark.toString('hex'), hex('77.88.8.8'));
});
