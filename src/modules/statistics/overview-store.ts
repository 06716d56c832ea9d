import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { PayoutStatus } from '../payouts/index.ts';

export interface Undertakings {
  readonly activeBots: number;
  readonly activeOrders: number;
  readonly openPayouts: number;
  readonly openPayoutsKopecks: Kopecks;
}

/** The open items of an account. */
export async function readUndertakings(
  db: Queryable,
  accountId: number,
  openStatuses: readonly PayoutStatus[],
): Promise<Undertakings> {
  const [row] = await db.query<{ bots: bigint; orders: bigint; payouts: bigint; amount: bigint }>(
    `SELECT (SELECT count(*) FROM bots WHERE account_id = $1 AND is_active) AS bots,
            (SELECT count(*) FROM orders WHERE account_id = $1 AND status = 'active') AS orders,
            count(*) AS payouts, coalesce(sum(amount_kopecks), 0)::bigint AS amount
     FROM payouts WHERE account_id = $1 AND status = ANY($2::text[])`,
    [accountId, openStatuses],
  );
  return {
    activeBots: Number(row?.bots ?? 0n),
    activeOrders: Number(row?.orders ?? 0n),
    openPayouts: Number(row?.payouts ?? 0n),
    openPayoutsKopecks: row?.amount ?? 0n,
  };
}
