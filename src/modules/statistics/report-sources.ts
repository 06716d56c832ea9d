import { DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { type Retention, readRetention, readSources, type SourceTotals } from './sources-store.ts';

export interface SourceReport extends SourceTotals {
  readonly afterOneDay: Retention;
  readonly afterSevenDays: Retention;
}

const MAX_SOURCES = 200;
/** How many confirms each of the two ages looks at: 50,000 rows at most for one report, however large the order. */
const SAMPLE = 25_000;
const DAY_SECONDS = DAY_MS / SECOND_MS;
const NONE: Retention = { eligible: 0, kept: 0 };

/** Which bots bring an order its subscribers, and how long those stay. Whose order it is, the caller has made sure of. */
export async function reportSources(
  db: Queryable,
  { orderId, now }: { orderId: number; now: Date },
): Promise<SourceReport[]> {
  const retentionAfter = (days: number) =>
    readRetention(db, { orderId, ageSeconds: days * DAY_SECONDS, now, limit: SAMPLE });
  // One after the other: a report may take its time, but not several of the connections that confirms need.
  const sources = await readSources(db, orderId, MAX_SOURCES);
  const afterOneDay = await retentionAfter(1);
  const afterSevenDays = await retentionAfter(7);
  return sources.map((source) => ({
    ...source,
    afterOneDay: afterOneDay.get(source.botId) ?? NONE,
    afterSevenDays: afterSevenDays.get(source.botId) ?? NONE,
  }));
}
