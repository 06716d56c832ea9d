import { businessDay, DAY_MS } from '../../../core/clock.ts';

/** Moscow has no daylight saving time. */
const OFFSET = '+03:00';
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;
const RUSSIAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,]+(\d{1,2}):(\d{2}))?$/;

/** Reads a typed Moscow time: `2026-12-01 12:00`, `01.12.2026 12:00`, or a day without an hour. */
export function readMoscowTime(text: string): Date | undefined {
  const typed = text.trim();
  const iso = ISO.exec(typed);
  const russian = RUSSIAN.exec(typed);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : [russian?.[3], russian?.[2], russian?.[1]];
  const [hour = '00', minute = '00'] = [(iso ?? russian)?.[4], (iso ?? russian)?.[5]];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00${OFFSET}`);
  // Date accepts 30 February as a day in March; reject it.
  return Number.isNaN(time.getTime()) || businessDay(time) !== date ? undefined : time;
}

const startOfDay = (day: string): Date => new Date(`${day}T00:00:00${OFFSET}`);

export function tomorrow(now: Date): Date {
  return startOfDay(businessDay(new Date(now.getTime() + DAY_MS)));
}

/** The next Monday after today. */
export function nextMonday(now: Date): Date {
  const weekday = new Date(`${businessDay(now)}T00:00:00Z`).getUTCDay();
  const days = (8 - weekday) % 7 || 7;
  return startOfDay(businessDay(new Date(now.getTime() + days * DAY_MS)));
}
