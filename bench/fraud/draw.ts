import { createRandom } from '../random.ts';

/** Draws from the distributions of the simulated markets. The same seed gives the same draws. */
export interface Draw {
  /** A number from 0 to 1. */
  share(): number;
  chance(probability: number): boolean;
  between(from: number, to: number): number;
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  /** An index, each with its weight. */
  weighted(weights: readonly number[]): number;
  logNormal(median: number, spread: number): number;
  /** The number of independent events when `mean` are expected. */
  poisson(mean: number): number;
  /** Another source of draws, independent of how often this one is used later. */
  fork(): Draw;
}

export function createDraw(seed: number): Draw {
  const share = createRandom(seed);
  const between = (from: number, to: number): number => from + share() * (to - from);
  const whole = (from: number, to: number): number => Math.floor(between(from, to + 1));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share());
  return {
    share,
    between,
    whole,
    chance: (probability) => share() < probability,
    pick: <T>(items: readonly T[]): T => items[Math.floor(share() * items.length)] as T,
    weighted(weights) {
      let left = share() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      });
      return Math.max(0, found);
    },
    logNormal: (median, spread) => median * Math.exp(spread * normal()),
    poisson(mean) {
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const limit = Math.exp(-mean);
      let [count, product] = [0, share()];
      while (product > limit) {
        count += 1;
        product *= share();
      }
      return count;
    },
    fork: () => createDraw(whole(1, 2 ** 31)),
  };
}
