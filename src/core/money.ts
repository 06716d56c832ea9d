/** The service calculates in whole kopecks. Rubles appear only on the wire and on screens. */
export type Kopecks = bigint;

const KOPECKS_PER_RUBLE = 100;

/** Far above any real amount and far below the limit at which a JSON number loses kopecks. */
export const MAX_RUBLES = 1_000_000_000;

/**
 * Converts rubles from the wire. Returns `undefined` for a number that is negative, too large or finer than a kopeck.
 */
export function parseRubles(rubles: number): Kopecks | undefined {
  if (!Number.isFinite(rubles) || rubles < 0 || rubles > MAX_RUBLES) return undefined;
  const kopecks = Math.round(rubles * KOPECKS_PER_RUBLE);
  // Converting back must give the number that was sent: it does for 0.29, but not for 0.295.
  return kopecks / KOPECKS_PER_RUBLE === rubles ? BigInt(kopecks) : undefined;
}

export function toRubles(kopecks: Kopecks): number {
  return Number(kopecks) / KOPECKS_PER_RUBLE;
}

/**
 * Returns a percentage of an amount, rounded down to a kopeck, so that a publisher's share never exceeds the charge.
 */
export function percentOf(amount: Kopecks, percent: number): Kopecks {
  return (amount * BigInt(percent)) / 100n;
}

export function sumKopecks(amounts: Iterable<Kopecks>): Kopecks {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/** Formats rubles with two decimals, so that columns line up. */
export function formatRubles(kopecks: Kopecks): string {
  const sign = kopecks < 0n ? '−' : '';
  const absolute = kopecks < 0n ? -kopecks : kopecks;
  return `${sign}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')} ₽`;
}
