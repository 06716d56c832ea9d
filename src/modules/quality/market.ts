import type { SourceFigures } from './figures.ts';

/** The usual figures of the market: what half of the compared sources reach. */
export interface Market {
  /**
   * Sources with `LEAST_COMPARED` subscriptions, and advertisers with spending. In a small market one of each may depend
   * on the other.
   */
  readonly sources: number;
  readonly advertisers: number;
  readonly suspicious: number;
  readonly occasional: number;
  readonly left3: number;
  readonly earlyLeft: number;
  readonly left1: number;
  readonly stayed7: number;
  readonly stayed30: number;
  readonly conversion: number;
  readonly refused: number;
  readonly perUser: number;
  readonly once: number;
  readonly circle: number;
}

/** Stands for the market while there are too few sources to compare with. */
export const ASSUMED_MARKET: Market = {
  sources: 0,
  advertisers: 0,
  suspicious: 0.05,
  occasional: 0.5,
  left3: 0.1,
  earlyLeft: 0.08,
  left1: 0,
  stayed7: 0.8,
  stayed30: 0.6,
  conversion: 0.4,
  refused: 0.1,
  perUser: 4,
  once: 0.5,
  circle: 0.1,
};
const MIN_SOURCES = 5;

/** Sources with fewer subscriptions say too little to be compared with. Those without a score are compared with too. */
export const LEAST_COMPARED = 10;

/** Returns the median of each figure. One source, or many dishonest ones below a half, cannot move it far. */
export function marketOf(sources: readonly SourceFigures[], advertisers: number): Market {
  const median = (assumed: number, value: (figures: SourceFigures) => number | undefined): number => {
    const values = sources.map(value).filter((one) => one !== undefined);
    if (values.length < MIN_SOURCES) return assumed;
    values.sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? assumed;
  };
  const share = (hits: number, of: number, least = 1): number | undefined => (of >= least ? hits / of : undefined);
  return {
    sources: sources.length,
    advertisers,
    suspicious: median(ASSUMED_MARKET.suspicious, (one) => share(one.suspiciousUsers, one.countedOrSuspiciousUsers)),
    occasional: median(ASSUMED_MARKET.occasional, (one) => share(one.occasionalUsers, one.users)),
    left3: median(ASSUMED_MARKET.left3, (one) => share(one.left3, one.of3, LEAST_COMPARED)),
    earlyLeft: median(ASSUMED_MARKET.earlyLeft, (one) => share(one.earlyLeft, one.earlyOf, 20)),
    left1: median(ASSUMED_MARKET.left1, (one) => share(one.of1 - one.stayed1, one.of1, 20)),
    stayed7: median(ASSUMED_MARKET.stayed7, (one) => share(one.stayed7, one.of7, 20)),
    stayed30: median(ASSUMED_MARKET.stayed30, (one) => share(one.stayed30, one.of30, 20)),
    conversion: median(ASSUMED_MARKET.conversion, (one) => share(Math.min(one.confirmed, one.shown), one.shown, 20)),
    refused: median(ASSUMED_MARKET.refused, (one) => share(one.refused, one.refused + one.subscriptions)),
    perUser: median(ASSUMED_MARKET.perUser, (one) => share(one.subscriptions, one.users)),
    once: median(ASSUMED_MARKET.once, (one) => share(one.onceUsers, one.knownUsers, 5)),
    circle: median(ASSUMED_MARKET.circle, (one) => share(one.circleUsers, one.users)),
  };
}
