import type { Queryable } from '../../core/database.ts';

/** Due deliveries, counted separately for healthy and failing endpoints. */
export interface DeliveryBacklog {
  readonly isFailing: boolean;
  /** At most a thousand per endpoint are counted. */
  readonly count: number;
  readonly oldestDueAt: Date | null;
}

const COUNT_LIMIT_PER_ENDPOINT = 1_000;

/** Costs one indexed query per enabled endpoint. */
export async function readDeliveriesDue(db: Queryable, now: Date): Promise<DeliveryBacklog[]> {
  const rows = await db.query<{ is_failing: boolean; count: bigint; oldest: Date | null }>(
    `SELECT e.failing_since IS NOT NULL AS is_failing, sum(d.count)::bigint AS count, min(d.oldest) AS oldest
     FROM webhook_endpoints e CROSS JOIN LATERAL (
       SELECT count(*) AS count, min(next_attempt_at) AS oldest
       FROM (SELECT next_attempt_at FROM webhook_deliveries
             WHERE endpoint_id = e.id AND state = 'pending' AND next_attempt_at <= $1
             ORDER BY next_attempt_at LIMIT $2) AS due) AS d
     WHERE e.is_enabled AND e.deleted_at IS NULL
     GROUP BY is_failing`,
    [now, COUNT_LIMIT_PER_ENDPOINT],
  );
  return rows.map((row) => ({ isFailing: row.is_failing, count: Number(row.count), oldestDueAt: row.oldest }));
}
