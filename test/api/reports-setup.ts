import { midnight, sandboxTime } from '../support/platform-ledger.ts';
import type { Sandbox } from '../support/sandbox.ts';

export const HOUR = 60 * 60;
export const DAY = 24 * HOUR;

/** Moves the clock to an hour of the next business day, so that a test knows the day of each of its facts. */
export async function startDayAt(sandbox: Sandbox, hour: number): Promise<void> {
  const now = await sandboxTime(sandbox);
  await sandbox.advance((midnight(now) - now.getTime()) / 1000 + DAY + hour * HOUR);
}

/** Returns the business day `days` before that of `now`, without the code under test. */
export function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() + 3 * HOUR * 1000 - days * DAY * 1000).toISOString().slice(0, 10);
}

export function total<T>(items: readonly T[], of: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + of(item), 0n);
}
