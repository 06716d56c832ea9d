import { businessDay, minuteOfBusinessDay } from '../../core/clock.ts';
import type { Order, OrderProgress } from './order.ts';

const MINUTES_PER_HOUR = 60;
const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * How many more tasks an order's timetable allows at this moment: none outside its hours, and with even pacing no more
 * than the part of the daily limit that corresponds to the part of the day's hours gone by.
 */
export function slotsByTimetable(
  order: Pick<Order, 'activeHours' | 'paceEvenly' | 'dailyLimit'>,
  progress: OrderProgress,
  now: Date,
): number {
  const hours = order.activeHours ?? ALL_HOURS;
  const minute = minuteOfBusinessDay(now);
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  if (!hours.includes(hour)) return 0;
  if (!order.paceEvenly || order.dailyLimit === null) return Number.POSITIVE_INFINITY;

  const gone = hours.filter((active) => active < hour).length * MINUTES_PER_HOUR + (minute % MINUTES_PER_HOUR) + 1;
  const share = gone / (hours.length * MINUTES_PER_HOUR);
  const counted = progress.countedDay === businessDay(now) ? progress.countedToday : 0;
  return Math.max(0, Math.ceil(order.dailyLimit * share) - counted - progress.reservedCount);
}
