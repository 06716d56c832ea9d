import type { Queryable, Transaction } from '../../core/database.ts';

/**
 * Returns whether the account is banned and whether its withdrawals are frozen, and locks both until the transaction
 * ends. Take this lock before all others. Returns undefined if the account does not exist.
 */
export async function lockBan(
  tx: Transaction,
  accountId: number,
): Promise<{ readonly isBanned: boolean; readonly isFrozen: boolean } | undefined> {
  const [row] = await tx.query<{ isBanned: boolean; isFrozen: boolean }>(
    `SELECT banned_at IS NOT NULL AS "isBanned", withdrawals_frozen_at IS NOT NULL AS "isFrozen"
     FROM accounts WHERE id = $1 FOR SHARE`,
    [accountId],
  );
  return row;
}

/** Bans the account. Returns false when it is banned already. */
export async function saveBan(
  tx: Transaction,
  { accountId, reason, at }: { accountId: number; reason: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE accounts SET banned_at = $3, ban_reason = $2 WHERE id = $1 AND banned_at IS NULL RETURNING id',
    [accountId, reason, at],
  );
  return rows.length > 0;
}

/** Lifts the ban. Returns false when the account is not banned. */
export async function liftBan(tx: Transaction, accountId: number): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE accounts SET banned_at = NULL, ban_reason = NULL WHERE id = $1 AND banned_at IS NOT NULL RETURNING id',
    [accountId],
  );
  return rows.length > 0;
}

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
