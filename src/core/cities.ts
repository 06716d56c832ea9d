import { CITY_NAMES } from './city-names.ts';
import type { Language } from './locale.ts';

interface City {
  readonly name: string;
  readonly russian: string;
}

const LETTERS_ONLY = /[^\p{L}\p{N}]+/gu;
/** Apostrophes and the characters that replace them: people write Farg'ona with any of these. */
const APOSTROPHES = /[’'‘ʻʼ`´ʹ]/g;

/** Returns a name for comparison: without case, accents and punctuation, and without a leading word “city”. */
function plainly(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .replace(LETTERS_ONLY, ' ')
    .trim()
    .replace(/^(?:г|город|city of) /, '');
}

const BY_NAME = new Map<string, City>();
/** Keys of names in their usual spelling. Most lookups end here and skip the slow normalisation. */
const KEYS = new Map<string, string>();
for (const line of CITY_NAMES.trim().split('\n')) {
  const names = line.split('|');
  const [name = '', russian = name] = names;
  for (const each of names) {
    const plain = plainly(each);
    // When two cities share a name, the name means the larger city, which comes first in the table.
    if (!BY_NAME.has(plain)) BY_NAME.set(plain, { name, russian });
    KEYS.set(each, cityKey(each));
  }
}

/** Returns one key for all names of a city: the same for “Москва” and “Moscow”. Empty for a text without letters. */
export function cityKey(text: string): string {
  const known = KEYS.get(text);
  if (known !== undefined) return known;
  const plain = plainly(text);
  const city = BY_NAME.get(plain);
  return city === undefined ? plain : plainly(city.name);
}

/** Returns the stored name of a city, or `undefined` when the table does not list it. */
export const knownCity = (text: string): string | undefined => BY_NAME.get(plainly(text))?.name;

/** Returns the city's name in a language. Returns the text unchanged when the table does not list the city. */
export function cityName(text: string, language: Language): string {
  const city = BY_NAME.get(plainly(text));
  if (city === undefined) return text;
  return language === 'ru' ? city.russian : city.name;
}

/** Returns the names to store: each city once, under its name in the table. */
export function storedCities(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = cityKey(name);
    if (!byKey.has(key)) byKey.set(key, knownCity(name) ?? name.trim());
  }
  return [...byKey.values()];
}
