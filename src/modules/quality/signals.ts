import { DAY_MS } from '../../core/clock.ts';

/** What can make a user suspicious. A text of `src/texts/quality.ts` explains each signal with its figures. */
export const USER_SIGNALS = [
  'registered_together',
  'young_account',
  'generated_name',
  'instant_join',
  'many_subscriptions',
  'left_after_window',
  'subscribes_everywhere',
  'same_channels',
  'language_country',
  'shared_device',
  'shared_address',
  'refused_confirms',
] as const;

type UserSignal = (typeof USER_SIGNALS)[number];

/**
 * Signals that any bot can cause about any user: it sends the name and the language, and it can confirm what the user
 * never did. They count only beside `SUPPORT_FROM` of signals that are none of these and no circumstance.
 */
export const FORGEABLE_SIGNALS = ['generated_name', 'language_country', 'refused_confirms'] satisfies UserSignal[];
/** Signals that many honest users have. */
export const CIRCUMSTANCES = ['young_account', 'shared_address'] satisfies UserSignal[];
export const SUPPORT_FROM = 50;

/** Users whose signals add up to this are suspicious. Weak signals need each other; the strongest ones are enough alone. */
export const SUSPICIOUS_FROM = 60;

/** How long a signal is stored after it was last observed. */
export const SIGNAL_DAYS = 90;

const MILLION = 1_000_000;
const YEAR_MS = 365.25 * DAY_MS;
/** Telegram assigns ids in ascending order: this one late in 2025, and about this many a year since. */
const KNOWN_ID = 8_550 * MILLION;
const KNOWN_AT = Date.parse('2025-11-01T00:00:00Z');
const IDS_PER_YEAR = 550 * MILLION;
const YOUNG_DAYS = 45;

/** Returns the id from which accounts are probably younger than 45 days. */
export function youngIdsFrom(now: Date): number {
  return Math.round(KNOWN_ID + ((now.getTime() - YOUNG_DAYS * DAY_MS - KNOWN_AT) / YEAR_MS) * IDS_PER_YEAR);
}

/**
 * Countries in which a language of Telegram's interface is usual. Languages that are spoken everywhere, such as English,
 * are left out: they say nothing.
 */
export const USUAL_COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  ru: 'RU BY KZ KG UA UZ TJ TM AM AZ GE MD LV LT EE IL DE TR RS ME CY AE TH ID'.split(' '),
  uk: 'UA PL DE CZ RU'.split(' '),
  vi: ['VN'],
  id: ['ID', 'MY'],
  hi: ['IN'],
  bn: ['BD', 'IN'],
  fa: 'IR AF TR AE DE'.split(' '),
  tr: 'TR DE CY AZ'.split(' '),
  th: ['TH'],
  my: ['MM'],
  km: ['KH'],
};
