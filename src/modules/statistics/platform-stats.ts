import { addSeconds, businessDay, type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { closeDays, type PlatformFigures, readPlatformFigures } from './platform-store.ts';

interface PlatformDeps {
  readonly db: Database;
  /** The database that the figures are read from; `db` closes the days. */
  readonly reports: Queryable;
  readonly clock: Clock;
}

/** Returns the platform's figures for the last 7 and 30 business days, today included, and for all time. */
export async function reportPlatform({ db, reports, clock }: PlatformDeps) {
  // Usually the job has closed all days already. Without a worker process, this call keeps the query from getting
  // slower.
  await closePlatformDays({ db, clock });
  return describePlatform(reports, clock.now());
}

/** Returns the same figures in kopecks, for the console and the bot. */
export async function readPlatform({ db, reports, clock }: PlatformDeps) {
  await closePlatformDays({ db, clock });
  return readPlatformFigures(reports, beginnings(clock.now()));
}

/** Returns the same figures without closing days. */
export async function describePlatform(db: Queryable, now: Date) {
  const { last7Days, last30Days, allTime } = await readPlatformFigures(db, beginnings(now));
  return { last_7_days: present(last7Days), last_30_days: present(last30Days), all_time: present(allTime) };
}

const beginnings = (now: Date) => ({ since7: firstDayOf(7, now), since30: firstDayOf(30, now) });

function present(figures: PlatformFigures) {
  return {
    subscriptions: figures.subscriptions,
    reversals: figures.reversals,
    revenue: toRubles(figures.revenueKopecks),
    payouts: toRubles(figures.payoutsKopecks),
    active_bots: figures.activeBots,
    active_orders: figures.activeOrders,
    unique_users: figures.uniqueUsers,
    turnover: toRubles(figures.turnoverKopecks),
    platform_revenue: toRubles(figures.turnoverKopecks - figures.revenueKopecks),
  };
}

const DAY_SECONDS = DAY_MS / SECOND_MS;

/**
 * A row is written shortly after the time that it stores, so a day is closed with this delay. If a row arrives even
 * later, the database recalculates the day.
 */
const GRACE_SECONDS = HOUR_MS / SECOND_MS;

/** Closing a day takes one entry of PostgreSQL's lock table, which holds a few thousand. */
const BATCH = 100;

/** Returns the first of the `days` business days that end with today. */
function firstDayOf(days: number, now: Date): string {
  return businessDay(addSeconds(now, -(days - 1) * DAY_SECONDS));
}

/** Returns the last day that can be closed. */
function lastDayToClose(now: Date): string {
  return businessDay(addSeconds(now, -GRACE_SECONDS - DAY_SECONDS));
}

/**
 * Stores the sums of each past day in one row, so that reports need not add up its facts again. Several processes may
 * do this at once: each skips the days that another one is closing. Returns the number of closed days.
 */
export async function closePlatformDays(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  const last = lastDayToClose(clock.now());
  let closed = 0;
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true; closed += batch) {
    batch = await closeDays(db, last, BATCH);
  }
  return closed;
}
