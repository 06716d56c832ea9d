import type { Queryable } from '../../core/database.ts';
import type { ClickDimension, ClicksOf } from './click-store.ts';

export type ClickReport = Readonly<Record<ClickDimension, readonly ClicksOf[]>>;

/**
 * Returns the clicks of a link between two business days, both included, grouped by every property. Most clicks first.
 * One statement, because clicks keep arriving: sums from separate queries would not agree.
 */
export async function reportClicks(
  db: Queryable,
  { linkId, from, to }: { linkId: number; from: string; to: string },
): Promise<ClickReport> {
  const rows = await db.query<{ dimension: ClickDimension; value: string; clicks: bigint }>(
    `SELECT CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(country) = 0 THEN 'country'
                 WHEN grouping(device_type) = 0 THEN 'device_type' ELSE 'os' END AS dimension,
            coalesce(day::text, country, device_type, os) AS value, sum(clicks)::bigint AS clicks
     FROM link_clicks WHERE link_id = $1 AND day BETWEEN $2::date AND $3::date
     GROUP BY GROUPING SETS ((day), (country), (device_type), (os)) ORDER BY clicks DESC, value`,
    [linkId, from, to],
  );
  const report: Record<ClickDimension, ClicksOf[]> = { day: [], country: [], device_type: [], os: [] };
  for (const { dimension, value, clicks } of rows) {
    report[dimension].push({ value: value === '' ? undefined : value, clicks: Number(clicks) });
  }
  return report;
}
