import { knownCity } from './cities.ts';
import { LANGUAGES, type Language } from './locale.ts';

/** Normalises case, ё and surrounding space. */
const normalise = (text: string): string => text.trim().toLowerCase().replaceAll('ё', 'е');

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Names of countries or languages in the service's languages, from ICU. */
function namesOf(type: 'region' | 'language') {
  const names = Object.fromEntries(
    LANGUAGES.map((language) => [language, new Intl.DisplayNames([language], { type, fallback: 'none' })]),
  ) as Record<Language, Intl.DisplayNames>;
  return (code: string, language: Language): string | undefined => {
    try {
      return names[language].of(code);
    } catch {
      return undefined; // not a valid code
    }
  };
}

const regionName = namesOf('region');
const languageNameOf = namesOf('language');

/** Maps names to codes. Omits replaced codes such as `SU`, so that each name has one code. */
function codesByName(codes: readonly string[], name: typeof regionName, isCurrent: (code: string) => boolean) {
  const byName = new Map<string, string>();
  for (const code of codes.filter(isCurrent)) {
    for (const language of LANGUAGES) {
      const found = name(code, language);
      if (found !== undefined) byName.set(normalise(found), code);
    }
  }
  return byName;
}

const canonicalRegion = (code: string): string | undefined => new Intl.Locale(`und-${code}`).region;
const COUNTRIES = codesByName(
  PAIRS.map((pair) => pair.toUpperCase()),
  regionName,
  (code) => canonicalRegion(code) === code,
);
const SHORT_RUSSIAN = new Intl.DisplayNames(['ru'], { type: 'region', style: 'short' });
for (const code of new Set(COUNTRIES.values())) COUNTRIES.set(normalise(SHORT_RUSSIAN.of(code) ?? code), code);

/** Every country with its code, sorted by name. */
export const listCountries = (language: Language): readonly { readonly code: string; readonly name: string }[] =>
  [...new Set(COUNTRIES.values())]
    .filter((code) => !NOT_COUNTRIES.has(code))
    .map((code) => ({ code, name: countryName(code, language) }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
/** Regions of ICU that no visit comes from: unions, unknown places and test codes. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

const SPOKEN = codesByName(PAIRS, languageNameOf, (code) => new Intl.Locale(code).language === code);

/** Common names that ICU lacks. */
const ALIASES: Readonly<Record<string, string>> = {
  рф: 'RU',
  сша: 'US',
  usa: 'US',
  америка: 'US',
  england: 'GB',
  англия: 'GB',
  белоруссия: 'BY',
  кыргызстан: 'KG',
  молдавия: 'MD',
  туркмения: 'TM',
  оаэ: 'AE',
  uae: 'AE',
  корея: 'KR',
  'южная корея': 'KR',
};

/** Reads a country: `ru`, `Россия` and `Russia` are the same. */
export function readCountry(text: string): string | undefined {
  const word = normalise(text);
  const named = ALIASES[word] ?? COUNTRIES.get(word);
  if (named !== undefined) return named;
  const code = /^[a-z]{2}$/.test(word) ? canonicalRegion(word.toUpperCase()) : undefined;
  return code !== undefined && regionName(code, 'en') !== undefined ? code : undefined;
}

/** Uses the short Russian name: США. */
export const countryName = (code: string, language: Language): string =>
  (language === 'ru' ? SHORT_RUSSIAN.of(code) : regionName(code, language)) ?? code;

/** Reads a language: `pt`, `pt-br`, `португальский`. */
export function readLanguage(text: string): string | undefined {
  const word = normalise(text).replaceAll('_', '-');
  const named = SPOKEN.get(word);
  if (named !== undefined) return named;
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(word) && languageNameOf(word, 'en') !== undefined ? word : undefined;
}

export const languageName = (code: string, language: Language): string => languageNameOf(code, language) ?? code;

/** Reads a city by any of its names; an unknown one is kept as typed. */
export function readCity(text: string): string | undefined {
  const word = text.replace(/\s+/g, ' ').trim();
  return knownCity(word) ?? (/^[\p{L}\p{M}][\p{L}\p{M}\d .’'()-]{0,60}$/u.test(word) ? word : undefined);
}
