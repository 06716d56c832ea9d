import type { Queryable } from '../../core/database.ts';
import type { OwnersChunk } from '../../core/run-in-chunks.ts';
import type { DeviceType, OperatingSystem } from './link.ts';

/** The number of clicks of one kind on one day. */
export interface ClickCount {
  readonly linkId: number;
  /** A business day, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly country: string | undefined;
  readonly deviceType: DeviceType | undefined;
  readonly os: OperatingSystem | undefined;
  readonly clicks: number;
}

/** Adds all counts in one statement, ordered by key, so that two processes cannot deadlock. */
export async function addClicks(db: Queryable, counts: readonly ClickCount[]): Promise<void> {
  if (counts.length === 0) return;
  await db.query(
    `INSERT INTO link_clicks AS c (link_id, day, country, device_type, os, clicks)
     SELECT t.link_id, t.day, t.country, t.device_type, t.os, sum(t.clicks)
     FROM unnest($1::bigint[], $2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[])
       AS t (link_id, day, country, device_type, os, clicks)
     JOIN links l ON l.id = t.link_id
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT (link_id, day, country, device_type, os) DO UPDATE SET clicks = c.clicks + excluded.clicks`,
    [
      counts.map(({ linkId }) => linkId),
      counts.map(({ day }) => day),
      counts.map(({ country }) => country ?? ''),
      counts.map(({ deviceType }) => deviceType ?? ''),
      counts.map(({ os }) => os ?? ''),
      counts.map(({ clicks }) => clicks),
    ],
  );
}

/** The properties by which clicks are grouped, and their columns. */
const COLUMN_OF = { day: 'day', country: 'country', device_type: 'device_type', os: 'os' } as const;
type ClickDimension = keyof typeof COLUMN_OF;

export interface ClicksOf {
  /** A day, a country, a device type or an operating system; `undefined` when it was unknown. */
  readonly value: string | undefined;
  readonly clicks: number;
}

/**
 * Returns the clicks of a link between two business days, both included. Days are in order; other groups have the most
 * clicks first.
 */
export async function clicksBy(
  db: Queryable,
  dimension: ClickDimension,
  { linkId, from, to }: { linkId: number; from: string; to: string },
): Promise<ClicksOf[]> {
  const column = COLUMN_OF[dimension];
  const order = dimension === 'day' ? 'value' : 'clicks DESC, value';
  const rows = await db.query<{ value: string; clicks: bigint }>(
    `SELECT ${column}::text AS value, sum(clicks)::bigint AS clicks FROM link_clicks
     WHERE link_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY ${column} ORDER BY ${order}`,
    [linkId, from, to],
  );
  return rows.map(({ value, clicks }) => ({ value: value === '' ? undefined : value, clicks: Number(clicks) }));
}

/**
 * Returns the all-time clicks of several links, for a list of links. Clicks of deleted days are in the link's own row.
 */
export async function totalClicks(db: Queryable, linkIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.query<{ link_id: bigint; clicks: bigint }>(
    `SELECT l.id AS link_id,
            l.earlier_clicks + (SELECT coalesce(sum(clicks), 0) FROM link_clicks c WHERE c.link_id = l.id)::bigint AS clicks
     FROM links l WHERE l.id = ANY($1::bigint[])`,
    [linkIds],
  );
  return new Map(rows.map((row) => [Number(row.link_id), Number(row.clicks)]));
}

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

/**
 * Adds the old days of the next `links` links to their totals and deletes these rows, at most `limit`. Skips links that
 * another transaction has locked.
 */
export async function deleteClicks(
  db: Queryable,
  { afterLinkId, links, beforeDay, limit }: { afterLinkId: number; links: number; beforeDay: string; limit: number },
): Promise<OwnersChunk> {
  const [row] = await db.query<{ count: bigint; last_link_id: bigint | null }>(
    `WITH next_links AS MATERIALIZED (
       SELECT id FROM links WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
     ), old AS MATERIALIZED (
       SELECT c.* FROM next_links n CROSS JOIN LATERAL (
         SELECT link_id, day, country, device_type, os FROM link_clicks WHERE link_id = n.id AND day < $3::date
         ORDER BY day LIMIT $4 FOR UPDATE SKIP LOCKED) c
       LIMIT $4
     ), gone AS (
       DELETE FROM link_clicks c USING old
       WHERE (c.link_id, c.day, c.country, c.device_type, c.os)
           = (old.link_id, old.day, old.country, old.device_type, old.os)
       RETURNING c.link_id, c.clicks
     ), kept AS (
       UPDATE links l SET earlier_clicks = l.earlier_clicks + s.clicks
       FROM (SELECT link_id, sum(clicks) AS clicks FROM gone GROUP BY link_id) s WHERE l.id = s.link_id
     )
     SELECT (SELECT count(*) FROM gone) AS count, (SELECT max(id) FROM next_links) AS last_link_id`,
    [afterLinkId, links, beforeDay, limit],
  );
  return { count: Number(row?.count ?? 0), lastId: row?.last_link_id == null ? null : Number(row.last_link_id) };
}
