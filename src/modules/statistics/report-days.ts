import { addSeconds, businessDay, DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import { type DaysScope, type DayTotals, readDays, readShown } from './days-store.ts';

export interface PublisherFigures {
  /** Counted in the period, whether or not they were reversed later. */
  readonly counted: number;
  /** Reversed in the period, regardless of when they were counted. */
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
  readonly reversedRewardKopecks: Kopecks;
}

export interface AdvertiserFigures {
  readonly counted: number;
  readonly reversed: number;
  readonly chargeKopecks: Kopecks;
  /** Refunded by reversals; zero for an order without refunds. */
  readonly returnedChargeKopecks: Kopecks;
}

/** A business day as `YYYY-MM-DD`. */
export type PublisherDay = { readonly day: string } & PublisherFigures;
export type AdvertiserDay = { readonly day: string } & AdvertiserFigures;

export interface Period {
  /** The number of business days, today included: 1 to 366. */
  readonly days: number;
  readonly now: Date;
}

export const MAX_DAYS = 366;

/** Reports the days of one bot, oldest first and without gaps. The caller has checked the owner. */
export async function reportBotDays(db: Queryable, input: { botId: number } & Period): Promise<PublisherDay[]> {
  return (await allDays(db, 'bot', input.botId, input)).map(asPublisher);
}

/** Reports the days of all bots of an account together. */
export async function reportAccountDays(db: Queryable, input: { accountId: number } & Period): Promise<PublisherDay[]> {
  return (await allDays(db, 'publisher', input.accountId, input)).map(asPublisher);
}

/** Reports the days of one order, oldest first and without gaps. The caller has checked the owner. */
export async function reportOrderDays(db: Queryable, input: { orderId: number } & Period): Promise<AdvertiserDay[]> {
  return (await allDays(db, 'order', input.orderId, input)).map(asAdvertiser);
}

/** Reports the days of all orders of an account together. */
export async function reportAdvertiserDays(
  db: Queryable,
  input: { accountId: number } & Period,
): Promise<AdvertiserDay[]> {
  return (await allDays(db, 'advertiser', input.accountId, input)).map(asAdvertiser);
}

async function allDays(db: Queryable, scope: DaysScope, id: number, { days, now }: Period): Promise<DayTotals[]> {
  assert(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS, `a report covers 1 to ${MAX_DAYS} days, not ${days}`);
  const last = businessDay(now);
  const wanted = Array.from({ length: days }, (_, index) => daysBefore(now, days - 1 - index));
  const known = await readDays(db, { scope, id, first: wanted[0] ?? last, last });
  const byDay = new Map(known.map((totals) => [totals.day, totals]));
  return wanted.map((day) => byDay.get(day) ?? { day, ...NOTHING });
}

const daysBefore = (now: Date, days: number): string => businessDay(addSeconds(now, (-days * DAY_MS) / SECOND_MS));

const NOTHING = {
  counted: 0,
  reversed: 0,
  rewardKopecks: 0n,
  reversedRewardKopecks: 0n,
  chargeKopecks: 0n,
  returnedChargeKopecks: 0n,
};

const asPublisher = ({ day, counted, reversed, rewardKopecks, reversedRewardKopecks }: DayTotals): PublisherDay => ({
  day,
  counted,
  reversed,
  rewardKopecks,
  reversedRewardKopecks,
});

const asAdvertiser = ({ day, counted, reversed, chargeKopecks, returnedChargeKopecks }: DayTotals): AdvertiserDay => ({
  day,
  counted,
  reversed,
  chargeKopecks,
  returnedChargeKopecks,
});

export function sumPublisherDays(days: readonly PublisherDay[]): PublisherFigures {
  return {
    ...countsOf(days),
    rewardKopecks: sumKopecks(days.map((day) => day.rewardKopecks)),
    reversedRewardKopecks: sumKopecks(days.map((day) => day.reversedRewardKopecks)),
  };
}

export function sumAdvertiserDays(days: readonly AdvertiserDay[]): AdvertiserFigures {
  return {
    ...countsOf(days),
    chargeKopecks: sumKopecks(days.map((day) => day.chargeKopecks)),
    returnedChargeKopecks: sumKopecks(days.map((day) => day.returnedChargeKopecks)),
  };
}

const countsOf = (days: readonly { readonly counted: number; readonly reversed: number }[]) => ({
  counted: days.reduce((sum, day) => sum + day.counted, 0),
  reversed: days.reduce((sum, day) => sum + day.reversed, 0),
});

export interface ConversionDay {
  /** A business day as `YYYY-MM-DD`. */
  readonly day: string;
  /** Tasks shown for the first time on that day. */
  readonly shown: number;
  /** Subscriptions counted on that day, regardless of when their tasks were shown. */
  readonly counted: number;
  /** Counted as a percentage of shown; null on a day without shown tasks. */
  readonly percent: number | null;
}

/**
 * Reports by day how many of the shown tasks became subscriptions. A task that is shown before midnight and counted
 * after it lowers one day and raises the next, so a day can exceed 100 percent.
 */
export async function reportConversion(
  db: Queryable,
  {
    scope,
    id,
    days,
  }: { scope: DaysScope; id: number; days: readonly { readonly day: string; readonly counted: number }[] },
): Promise<ConversionDay[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const shownOn = await readShown(db, { scope, id, first: first.day, last: last.day });
  return days.map(({ day, counted }) => {
    const shown = shownOn.get(day) ?? 0;
    return { day, shown, counted, percent: shown === 0 ? null : Math.round((counted / shown) * 1_000) / 10 };
  });
}
