import type { Queryable } from '../../core/database.ts';
import type { DaysScope } from './days-store.ts';

const SCOPES: Readonly<Record<DaysScope, string>> = {
  bot: 'bot_id = $1',
  publisher: 'bot_id IN (SELECT id FROM bots WHERE account_id = $1)',
  order: 'order_id = $1',
  advertiser: 'order_id IN (SELECT id FROM orders WHERE account_id = $1)',
};

/** Tasks shown for the first time, by business day; days without any are not there. */
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
