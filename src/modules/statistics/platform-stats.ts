import type { Clock } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { closePlatformDays, firstDayOf } from './platform-days.ts';
import { type PlatformFigures, readPlatformFigures } from './platform-store.ts';

/** Returns the platform's figures for the last 7 and 30 business days, today included, and for all time. */
export async function reportPlatform({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  // Usually the job has closed all days already. Without a worker process, this call keeps the query from getting
  // slower.
  await closePlatformDays({ db, clock });
  return describePlatform(db, clock.now());
}

/** Returns the same figures in kopecks, for the console and the bot. */
export async function readPlatform({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  await closePlatformDays({ db, clock });
  return readPlatformFigures(db, beginnings(clock.now()));
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
