import type { Queryable } from '../../core/database.ts';

/**
 * Adds the old days of the next `links` links to their totals and deletes these rows, at most `limit`. Skips links that
 * another transaction has locked. `lastLinkId` is null after the last link.
 */
export async function deleteClicks(
  db: Queryable,
  { afterLinkId, links, beforeDay, limit }: { afterLinkId: number; links: number; beforeDay: string; limit: number },
): Promise<{ readonly count: number; readonly lastLinkId: number | null }> {
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
  return { count: Number(row?.count ?? 0), lastLinkId: row?.last_link_id == null ? null : Number(row.last_link_id) };
}
