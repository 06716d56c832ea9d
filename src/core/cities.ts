import { CITY_NAMES } from './city-names.ts';
import type { Language } from './locale.ts';

/** A city as we store it. */
interface City {
  readonly name: string;
  readonly russian: string;
}

const LETTERS_ONLY = /[^\p{L}\p{N}]+/gu;
/** Apostrophes and what stands for them: Farg'ona is written with any of these. */
const APOSTROPHES = /[’'‘ʻʼ`´ʹ]/g;

/** A name as it is compared: without case, accents and punctuation, and without the word “city” before it. */
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
/** Keys of names as they are usually written: most users' cities are found here without normalising. */
const KEYS = new Map<string, string>();
for (const line of CITY_NAMES.trim().split('\n')) {
  const names = line.split('|');
  const [name = '', russian = name] = names;
  for (const each of names) {
    const plain = plainly(each);
    // Two cities of one name cannot be told apart: the larger one, which stands first, has it.
    if (!BY_NAME.has(plain)) BY_NAME.set(plain, { name, russian });
    KEYS.set(each, cityKey(each));
  }
}

/** What names of one city have in common: equal for “Москва” and “Moscow”. Empty when the text names nothing. */
export function cityKey(text: string): string {
  const known = KEYS.get(text);
  if (known !== undefined) return known;
  const plain = plainly(text);
  const city = BY_NAME.get(plain);
  return city === undefined ? plain : plainly(city.name);
}

/** The stored name of a city that is in the table. */
export const knownCity = (text: string): string | undefined => BY_NAME.get(plainly(text))?.name;

/** The city's name in a language; one that is not in the table is shown as it was written. */
export function cityName(text: string, language: Language): string {
  const city = BY_NAME.get(plainly(text));
  if (city === undefined) return text;
  return language === 'ru' ? city.russian : city.name;
}

/** Names of cities as they are stored: each city once, under the name of the table. */
export function storedCities(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = cityKey(name);
    if (!byKey.has(key)) byKey.set(key, knownCity(name) ?? name.trim());
  }
  return [...byKey.values()];
}
