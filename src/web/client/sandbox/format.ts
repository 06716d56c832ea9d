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
const dayFormat = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', ...ZONE });
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
/** The name of the time zone, after every time outside the phone's chats. */
export const ZONE_NAME = language === 'ru' ? 'МСК' : 'MSK';
export const timeOf = (moment: Date): string => timeFormat.format(moment);
export const secondsOf = (moment: Date): string => secondsFormat.format(moment);
export const dayOf = (moment: Date): string => dayFormat.format(moment);
export const momentOf = (iso: string): string => `${momentFormat.format(new Date(iso))} ${ZONE_NAME}`;

const MAX_NAME = 48;

/**
 * Returns a name for use inside a sentence. Long names are cut, and isolated: a right-to-left name does not reorder the
 * words around it.
 */
export function inSentence(name: string): string {
  const characters = [...name];
  const cut = characters.length <= MAX_NAME ? name : `${characters.slice(0, MAX_NAME).join('')}…`;
  return `\u2068${cut}\u2069`;
}

/** Indents JSON; returns any other text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
