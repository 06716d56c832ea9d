/** Money is whole kopecks as `bigint` everywhere inside; rubles exist only on the wire and on screens. */
export type Kopecks = bigint;

const KOPECKS_PER_RUBLE = 100;

/** Far above any real amount and far below the point where a JSON number loses kopecks. */
export const MAX_RUBLES = 1_000_000_000;

/** Rubles from the wire, or `undefined` when the number is not an amount: negative, huge, or finer than a kopeck. */
export function parseRubles(rubles: number): Kopecks | undefined {
  if (!Number.isFinite(rubles) || rubles < 0 || rubles > MAX_RUBLES) return undefined;
  const kopecks = Math.round(rubles * KOPECKS_PER_RUBLE);
  // The nearest representable ruble amount must be the very number that was sent: 0.29 is, 0.295 is not.
  return kopecks / KOPECKS_PER_RUBLE === rubles ? BigInt(kopecks) : undefined;
}

export function toRubles(kopecks: Kopecks): number {
  return Number(kopecks) / KOPECKS_PER_RUBLE;
}

/** The publisher's part of a price, rounded down to a kopeck: the rounding is never the advertiser's loss. */
export function percentOf(amount: Kopecks, percent: number): Kopecks {
  return (amount * BigInt(percent)) / 100n;
}

export function sumKopecks(amounts: Iterable<Kopecks>): Kopecks {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/** Rubles for people: always two decimals, so that columns line up. */
export function formatRubles(kopecks: Kopecks): string {
  const sign = kopecks < 0n ? '−' : '';
  const absolute = kopecks < 0n ? -kopecks : kopecks;
  return `${sign}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')} ₽`;
}
