import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedAddress } from './addresses.ts';

const live = { allowLoopback: false };
const sandbox = { allowLoopback: true };

const LOOPBACK = ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1'];

/** The first and last address of each range, and forms that attackers try. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'this network and unspecified': ['0.0.0.0', '0.255.255.255', '::'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  'link-local and cloud metadata': ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::ffff'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '192.88.99.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  'multicast, reserved and broadcast': ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  'site-local': ['fec0::1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  'IPv4-mapped, in every spelling': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::FFFF:8.8.8.8',
    '::ffff:0:0',
  ],
  'IPv4-compatible and -translated': ['::127.0.0.1', '::ffff:0:127.0.0.1'],
  '6to4 and Teredo, which carry an IPv4 address': ['2002:7f00:1::', '2002:a00:1::1', '2001::1', '2001:0:7f00:1::'],
  'discard, segment routing and what is not assigned': ['100::1', '5f00::1', '4000::1', 'e000::1'],
  'what is no address': ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '127.0.0.1:80', '[::1]', '::1%eth0x/64'],
};

for (const [range, addresses] of Object.entries({ ...FORBIDDEN, loopback: LOOPBACK })) {
  test(`a delivery never goes to: ${range}`, () => {
    for (const address of addresses) assert.equal(isAllowedAddress(address, live), false, address);
  });
}

test('a sandbox may send to loopback, and to no other forbidden address', () => {
  for (const address of LOOPBACK) assert.equal(isAllowedAddress(address, sandbox), true, address);
  for (const address of Object.values(FORBIDDEN).flat())
    assert.equal(isAllowedAddress(address, sandbox), false, address);
});

test('a delivery may go to every public address, including neighbours of a forbidden range', () => {
  const addresses = [
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0'],
    ...['223.255.255.255', '2606:4700:4700::1111', '2a00:1450::1', '2001:200::1', '2001:db7::1', '2003::1', '2400::1'],
  ];
  for (const address of addresses) assert.equal(isAllowedAddress(address, live), true, address);
});
