import { businessDay, minuteOfBusinessDay } from '../../core/clock.ts';
import type { Order, OrderProgress } from './order.ts';

const MINUTES_PER_HOUR = 60;
const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Returns how many more tasks the timetable of an order allows now: none outside its hours. With even pacing, the part
 * of the daily limit in use never exceeds the elapsed part of the day's active hours.
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
