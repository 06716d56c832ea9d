import type { Queryable, Transaction } from '../../core/database.ts';

export interface Freeze {
  readonly at: Date;
  readonly reason: string;
}

/** Returns when and why withdrawals of the account were frozen; undefined when they are not. */
export async function findFreeze(db: Queryable, accountId: number): Promise<Freeze | undefined> {
  const [row] = await db.query<{ at: Date; reason: string }>(
    `SELECT withdrawals_frozen_at AS at, freeze_reason AS reason FROM accounts
     WHERE id = $1 AND withdrawals_frozen_at IS NOT NULL`,
    [accountId],
  );
  return row;
}

/** Freezes withdrawals. Returns false when they are frozen already. */
export async function saveFreeze(
  tx: Transaction,
  { accountId, reason, at }: { accountId: number; reason: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE accounts SET withdrawals_frozen_at = $3, freeze_reason = $2
     WHERE id = $1 AND withdrawals_frozen_at IS NULL RETURNING id`,
    [accountId, reason, at],
  );
  return rows.length > 0;
}

/** Lifts the freeze. Returns false when there is none. */
export async function liftFreeze(tx: Transaction, accountId: number): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE accounts SET withdrawals_frozen_at = NULL, freeze_reason = NULL
     WHERE id = $1 AND withdrawals_frozen_at IS NOT NULL RETURNING id`,
    [accountId],
  );
  return rows.length > 0;
}
