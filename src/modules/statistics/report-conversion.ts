import type { Queryable } from '../../core/database.ts';
import type { DaysScope } from './days-store.ts';
import { readShown } from './shown-store.ts';

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
