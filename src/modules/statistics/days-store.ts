import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { OwnersChunk } from '../../core/run-in-chunks.ts';

/** Selects one bot, all bots of an account, one order, or all orders of an account. */
export type DaysScope = 'bot' | 'publisher' | 'order' | 'advertiser';

export interface DayTotals {
  readonly day: string;
  readonly counted: number;
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
  readonly reversedRewardKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
  readonly returnedChargeKopecks: Kopecks;
}

const SCOPES: Readonly<Record<DaysScope, string>> = {
  bot: 'bot_id = $1',
  publisher: 'bot_id IN (SELECT id FROM bots WHERE account_id = $1)',
  order: 'order_id = $1',
  advertiser: 'order_id IN (SELECT id FROM orders WHERE account_id = $1)',
};

/** Returns the days of the period that have totals, unsorted. */
export async function readDays(
  db: Queryable,
  { scope, id, first, last }: { scope: DaysScope; id: number; first: string; last: string },
): Promise<DayTotals[]> {
  return db.query<DayTotals>(
    `SELECT day, sum(counted)::float8 AS counted, sum(reversed)::float8 AS reversed,
            sum(reward_kopecks)::bigint AS "rewardKopecks",
            sum(reversed_reward_kopecks)::bigint AS "reversedRewardKopecks",
            sum(charge_kopecks)::bigint AS "chargeKopecks",
            sum(returned_charge_kopecks)::bigint AS "returnedChargeKopecks"
     FROM daily_totals WHERE ${SCOPES[scope]} AND day BETWEEN $2::date AND $3::date GROUP BY day`,
    [id, first, last],
  );
}

/** Returns the number of tasks shown for the first time, by business day. Days without any are missing. */
export async function readShown(
  db: Queryable,
  { scope, id, first, last }: { scope: DaysScope; id: number; first: string; last: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ day: string; shown: bigint }>(
    `SELECT day, sum(shown)::bigint AS shown FROM daily_shown
     WHERE ${SCOPES[scope]} AND day BETWEEN $2::date AND $3::date GROUP BY day`,
    [id, first, last],
  );
  return new Map(rows.map((row) => [row.day, Number(row.shown)]));
}

/** Deletes at most `limit` old days of the next `orders` orders. */
export async function deleteShown(
  db: Queryable,
  {
    afterOrderId,
    orders,
    beforeDay,
    limit,
  }: { afterOrderId: number; orders: number; beforeDay: string; limit: number },
): Promise<OwnersChunk> {
  const [row] = await db.query<OwnersChunk>(
    `WITH next_orders AS MATERIALIZED (
       SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT $2
     ), old AS MATERIALIZED (
       SELECT s.* FROM next_orders n CROSS JOIN LATERAL (
         SELECT bot_id, order_id, day FROM daily_shown WHERE order_id = n.id AND day < $3::date
         ORDER BY day LIMIT $4 FOR UPDATE SKIP LOCKED) s
       LIMIT $4
     ), gone AS (
       DELETE FROM daily_shown s USING old
       WHERE s.bot_id = old.bot_id AND s.order_id = old.order_id AND s.day = old.day
       RETURNING 1
     )
     SELECT (SELECT count(*)::float8 FROM gone) AS count, (SELECT max(id)::float8 FROM next_orders) AS "lastId"`,
    [afterOrderId, orders, beforeDay, limit],
  );
  return row ?? { count: 0, lastId: null };
}
