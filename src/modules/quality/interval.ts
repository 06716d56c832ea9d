export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 %. */
const Z = 1.96;

/**
 * Returns Wilson's interval for the true share behind `hits` of `trials`. Unlike the normal approximation it stays within
 * 0 and 1 and is wide for few trials, so that a small source is not judged by chance.
 */
export function wilson(hits: number, trials: number): Interval {
  if (trials <= 0) return { low: 0, high: 1 };
  const share = Math.min(1, Math.max(0, hits / trials));
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (Z / (1 + z2 / trials)) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * Returns the least number of events that `seen` independent ones prove: the lower bound of a 95 % interval of the mean of
 * a Poisson distribution (Byar's approximation).
 */
export function leastEvents(seen: number): number {
  if (seen <= 0) return 0;
  return seen * Math.max(0, 1 - 1 / (9 * seen) - Z / (3 * Math.sqrt(seen))) ** 3;
}

/**
 * Returns the interval of a share of subscriptions. Subscriptions of one user depend on each other, so they prove less
 * than as many users would, and more than the users alone: the geometric mean of both stands for the trials.
 */
export function shareInterval(hits: number, of: number, users: number): Interval {
  if (of <= 0) return { low: 0, high: 1 };
  const trials = Math.sqrt(of * Math.min(of, Math.max(1, users)));
  return wilson((hits / of) * trials, trials);
}
