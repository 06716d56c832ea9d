import { DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { type Retention, readRetention, readSources, type SourceTotals } from './sources-store.ts';

export interface SourceReport extends SourceTotals {
  readonly afterOneDay: Retention;
  readonly afterSevenDays: Retention;
}

const MAX_SOURCES = 200;
/** How many confirms the query for each of the two ages reads: at most 50,000 rows for one report. */
const SAMPLE = 25_000;
const DAY_SECONDS = DAY_MS / SECOND_MS;
const NONE: Retention = { eligible: 0, kept: 0 };

/** Reports which bots bring subscribers to an order and how long they stay. The caller has checked the owner. */
export async function reportSources(
  db: Queryable,
  { orderId, now }: { orderId: number; now: Date },
): Promise<SourceReport[]> {
  const retentionAfter = (days: number) =>
    readRetention(db, { orderId, ageSeconds: days * DAY_SECONDS, now, limit: SAMPLE });
  // Query sequentially, so that a report uses one connection of the pool and leaves the others to confirms.
  const sources = await readSources(db, orderId, MAX_SOURCES);
  const afterOneDay = await retentionAfter(1);
  const afterSevenDays = await retentionAfter(7);
  return sources.map((source) => ({
    ...source,
    afterOneDay: afterOneDay.get(source.botId) ?? NONE,
    afterSevenDays: afterSevenDays.get(source.botId) ?? NONE,
  }));
}
