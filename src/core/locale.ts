import { type Kopecks, toRubles } from './money.ts';

/** The languages of the bot, the console and the pages. The API is in English only. */
export const LANGUAGES = ['ru', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages of countries where Russian is commonly read (docs/decisions/0081-one-language-rule.md). */
const READ_RUSSIAN = new Set([
  'ru',
  'be',
  'uk',
  'kk',
  'ky',
  'uz',
  'tg',
  'tk',
  'hy',
  'az',
  'ka',
  'mo',
  'ab',
  'os',
  'tt',
  'ba',
  'ce',
]);

/** Returns the language for a Telegram `language_code` or an `Accept-Language` header, whose first entry decides. */
export function languageFor(tag: string | undefined): Language {
  const code = /^\s*([a-z]+)/i.exec(tag ?? '')?.[1] ?? '';
  return READ_RUSSIAN.has(code.toLowerCase()) ? 'ru' : 'en';
}

const LOCALE: Readonly<Record<Language, string>> = { ru: 'ru-RU', en: 'en-GB' };
/** Business days follow the time of Moscow (see `businessDay`), so displayed times do too. */
const TIME_ZONE = 'Europe/Moscow';

/** Formats numbers, money and times by the rules of one language. */
export interface Formats {
  /** `1 234,50 ₽` or `₽1,234.50`. */
  rubles(kopecks: Kopecks): string;
  count(value: number | bigint): string;
  /** Formats a percentage with at most one decimal: `12,5 %`. */
  percent(value: number): string;
  /** Formats a factor given in percent: 120 is `×1,2`. */
  factor(percent: number): string;
  /** Formats a business day `YYYY-MM-DD`: `5 мая`, `5 May`. */
  day(day: string): string;
  date(time: Date): string;
  /** Formats date and time in the time zone of Moscow. */
  moment(time: Date): string;
  /** Returns the plural form for the number: one, few (2–4 in Russian) or many. */
  plural(count: number, one: string, few: string, many: string): string;
}

function formatsFor(language: Language): Formats {
  const locale = LOCALE[language];
  const rubles = new Intl.NumberFormat(locale, { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' });
  const count = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const factor = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: TIME_ZONE });
  const moment = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: TIME_ZONE,
  });
  const rules = new Intl.PluralRules(locale);
  return {
    rubles: (kopecks) => rubles.format(toRubles(kopecks)),
    count: (value) => count.format(value),
    percent: (value) => percent.format(value / 100),
    factor: (value) => `×${factor.format(value / 100)}`,
    day: (value) => day.format(new Date(`${value}T00:00:00Z`)),
    date: (time) => date.format(time),
    moment: (time) => moment.format(time),
    plural(value, one, few, many) {
      const form = rules.select(value);
      return form === 'one' ? one : form === 'few' ? few : many;
    },
  };
}

export const FORMATS: Readonly<Record<Language, Formats>> = { ru: formatsFor('ru'), en: formatsFor('en') };

/** Parses a typed amount such as `1 000,50`, `1000.5 ₽` or `₽10`. Returns `undefined` for other text. */
export function readRubles(text: string): Kopecks | undefined {
  const digits = text.replace(/[\s\u00a0\u202f]|₽|руб\.?|р\.?$|rub\.?/giu, '').replace(',', '.');
  const match = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(digits);
  if (match === null) return undefined;
  const [, whole = '', broken = ''] = match;
  return BigInt(whole) * 100n + BigInt(broken.padEnd(2, '0'));
}

/** Parses a typed whole number such as `10 000`. Returns `undefined` for other text and outside the bounds. */
export function readCount(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const digits = text.replace(/[\s\u00a0\u202f]/gu, '');
  if (!/^\d{1,12}$/.test(digits)) return undefined;
  const value = Number(digits);
  return value >= min && value <= max ? value : undefined;
}
