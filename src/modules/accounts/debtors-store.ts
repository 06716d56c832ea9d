import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

/** An account whose balance is negative. */
export interface Debtor {
  readonly accountId: number;
  readonly name: string;
  readonly debtKopecks: Kopecks;
  /** Rewards in hold, which may pay the debt next. */
  readonly holdKopecks: Kopecks;
  readonly isBanned: boolean;
}

/** Returns debtors, the largest debt first. There is no index by balance, because every transfer would update it. */
export async function listDebtors(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<Debtor[]> {
  const rows = await db.query<{ id: bigint; name: string; debt: bigint; hold: bigint; is_banned: boolean }>(
    `SELECT a.id, a.name, -b.balance_kopecks AS debt, coalesce(h.balance_kopecks, 0) AS hold,
            a.banned_at IS NOT NULL AS is_banned
     FROM ledger_accounts b
     JOIN accounts a ON a.id = b.owner_id
     LEFT JOIN ledger_accounts h ON h.kind = 'hold' AND h.owner_id = b.owner_id
     WHERE b.kind = 'available' AND b.balance_kopecks < 0
     ORDER BY b.balance_kopecks, a.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return rows.map((row) => ({
    accountId: Number(row.id),
    name: row.name,
    debtKopecks: row.debt,
    holdKopecks: row.hold,
    isBanned: row.is_banned,
  }));
}
