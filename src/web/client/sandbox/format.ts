import { language } from './texts/index.ts';

const LOCALE = language === 'ru' ? 'ru-RU' : 'en-GB';
/** Business days start at midnight in Moscow, so times are Moscow times. */
const ZONE = { timeZone: 'Europe/Moscow' } as const;

const rublesFormat = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'RUB',
  currencyDisplay: 'narrowSymbol',
});
const timeFormat = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', ...ZONE });
const secondsFormat = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  ...ZONE,
});
const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'long', ...ZONE });
const momentFormat = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  ...ZONE,
});

export const rubles = (amount: number): string => rublesFormat.format(amount);
export const signedRubles = (amount: number): string =>
  `${amount < 0 ? '−' : '+'}${rublesFormat.format(Math.abs(amount))}`;
export const timeOf = (moment: Date): string => timeFormat.format(moment);
export const secondsOf = (moment: Date): string => secondsFormat.format(moment);
export const dayOf = (moment: Date): string => dayFormat.format(moment);
export const momentOf = (iso: string): string => momentFormat.format(new Date(iso));

/** Indents JSON; returns any other text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
