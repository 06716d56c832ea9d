/**
 * All code reads the time through a `Clock`, so that the sandbox can move time. Only `systemClock` reads the machine's.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date(Date.now()) };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * SECOND_MS);
}

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** Returns the latest of the times. `times` must not be empty. */
export function latest(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}

/** Returns ISO 8601 with a numeric offset, the format of timestamps in the API specification. */
export function formatTimestamp(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}

/**
 * Business days begin at midnight in Moscow (UTC+3, no summer time), where publishers and advertisers keep their books.
 */
const BUSINESS_OFFSET_MS = 3 * HOUR_MS;

/** Returns the business day of `time` as `YYYY-MM-DD`. */
export function businessDay(time: Date): string {
  return new Date(time.getTime() + BUSINESS_OFFSET_MS).toISOString().slice(0, 10);
}

/** Returns the last `count` business days up to that of `now`, oldest first. */
export function lastBusinessDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) => businessDay(addDays(now, index - count + 1)));
}

/** Returns the minutes since the business day began, 0 to 1439. */
export function minuteOfBusinessDay(time: Date): number {
  return Math.floor(((time.getTime() + BUSINESS_OFFSET_MS) % DAY_MS) / MINUTE_MS);
}
