import { addDays, businessDay } from '../../../core/clock.ts';
import { PERIOD_DAYS } from '../rules.ts';

/** What a rule judges. */
export interface Period {
  readonly isScoring: boolean;
  readonly since: Date;
  readonly sinceDay: string;
}

/** Returns the days that the rules judge at this time. */
export function periodBefore(now: Date): Omit<Period, 'isScoring'> {
  const since = addDays(now, -PERIOD_DAYS);
  return { since, sinceDay: businessDay(since) };
}
