import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Payout, PayoutMethod, PayoutStatus, Quote } from './payout.ts';

const COLUMNS = `id::float8 AS id, account_id::float8 AS "accountId", amount_kopecks AS "amountKopecks", method,
  destination, status, reason, reference, spend_id AS "spendId", asset, asset_rate AS rate, asset_amount AS amount,
  attempts, unconfirmed_since AS "doubtSince", last_error AS "lastError", frozen_at AS "frozenAt",
  freeze_reason AS "freezeReason", created_at AS "createdAt", closed_at AS "closedAt",
  (SELECT withdrawals_frozen_at IS NOT NULL FROM accounts a WHERE a.id = payouts.account_id) AS "isAccountFrozen"`;

type PayoutRow = Omit<Payout, 'quote'> & { readonly [Part in keyof Quote]: string | null };

const toPayout = ({ asset, rate, amount, ...payout }: PayoutRow): Payout => ({
  ...payout,
  quote: asset === null || rate === null || amount === null ? null : { asset, rate, amount },
});

export interface NewPayout {
  readonly accountId: number;
  readonly key: string;
  readonly amountKopecks: Kopecks;
  readonly method: PayoutMethod;
  readonly destination: string;
  readonly spendId: string;
  readonly at: Date;
}

export async function insertPayout(tx: Transaction, payout: NewPayout): Promise<Payout> {
  const [row] = await tx.query<PayoutRow>(
    `INSERT INTO payouts (account_id, request_key, amount_kopecks, method, destination, status, spend_id, created_at)
     VALUES ($1, $2, $3, $4, $5, 'requested', $6, $7) RETURNING ${COLUMNS}`,
    [payout.accountId, payout.key, payout.amountKopecks, payout.method, payout.destination, payout.spendId, payout.at],
  );
  if (row === undefined) throw new Error('a payout was not stored');
  return toPayout(row);
}

export async function findPayoutByKey(db: Queryable, accountId: number, key: string): Promise<Payout | undefined> {
  const [row] = await db.query<PayoutRow>(`SELECT ${COLUMNS} FROM payouts WHERE account_id = $1 AND request_key = $2`, [
    accountId,
    key,
  ]);
  return row && toPayout(row);
}

export async function findPayout(db: Queryable, payoutId: number): Promise<Payout | undefined> {
  const [row] = await db.query<PayoutRow>(`SELECT ${COLUMNS} FROM payouts WHERE id = $1`, [payoutId]);
  return row && toPayout(row);
}

export async function lockPayout(tx: Transaction, payoutId: number): Promise<Payout | undefined> {
  const [row] = await tx.query<PayoutRow>(`SELECT ${COLUMNS} FROM payouts WHERE id = $1 FOR UPDATE`, [payoutId]);
  return row && toPayout(row);
}

export interface Position {
  readonly createdAt: Date;
  readonly id: number;
}

/** Lists payouts older than `after`, newest first. */
export async function listPayouts(
  db: Queryable,
  { accountId, limit, after }: { accountId: number; limit: number; after?: Position | undefined },
): Promise<Payout[]> {
  const rows = await db.query<PayoutRow>(
    `SELECT ${COLUMNS} FROM payouts
     WHERE account_id = $1 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::bigint))
     ORDER BY created_at DESC, payouts.id DESC LIMIT $2`,
    [accountId, limit, after?.createdAt ?? null, after?.id ?? null],
  );
  return rows.map(toPayout);
}

/** Lists payouts in these statuses with an id above `after`, oldest first: the operators' queue. */
export async function listPayoutsIn(
  db: Queryable,
  { statuses, limit, after = 0 }: { statuses: readonly PayoutStatus[]; limit: number; after?: number },
): Promise<Payout[]> {
  const rows = await db.query<PayoutRow>(
    `SELECT ${COLUMNS} FROM payouts WHERE status = ANY($1::text[]) AND id > $3 ORDER BY payouts.id LIMIT $2`,
    [statuses, limit, after],
  );
  return rows.map(toPayout);
}

export async function countPayoutsIn(db: Queryable, statuses: readonly PayoutStatus[]): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    'SELECT count(*) AS count FROM payouts WHERE status = ANY($1::text[])',
    [statuses],
  );
  return Number(row?.count ?? 0);
}

export async function saveApproval(
  tx: Transaction,
  { payoutId, operatorId, at }: { payoutId: number; operatorId: number | null; at: Date },
): Promise<void> {
  await tx.query(
    `UPDATE payouts SET status = 'approved', decided_by = $2, decided_at = $3, next_attempt_at = $3 WHERE id = $1`,
    [payoutId, operatorId, at],
  );
}

export async function saveSent(tx: Transaction, payoutId: number, reference: string, at: Date): Promise<void> {
  await tx.query(
    `UPDATE payouts SET status = 'sent', reference = $2, closed_at = $3, unconfirmed_since = NULL, next_attempt_at = NULL
     WHERE id = $1`,
    [payoutId, reference, at],
  );
}

export async function saveReturned(
  tx: Transaction,
  { payoutId, status, reason, at }: { payoutId: number; status: 'rejected' | 'failed'; reason: string; at: Date },
): Promise<void> {
  await tx.query(
    `UPDATE payouts SET status = $2, reason = $3, closed_at = $4, unconfirmed_since = NULL, next_attempt_at = NULL
     WHERE id = $1`,
    [payoutId, status, reason, at],
  );
}

export async function saveFreeze(
  tx: Transaction,
  { payoutId, reason, at }: { payoutId: number; reason: string; at: Date },
): Promise<void> {
  await tx.query('UPDATE payouts SET frozen_at = $3, freeze_reason = $2 WHERE id = $1', [payoutId, reason, at]);
}

export async function saveUnfreeze(tx: Transaction, payoutId: number): Promise<void> {
  await tx.query('UPDATE payouts SET frozen_at = NULL, freeze_reason = NULL WHERE id = $1', [payoutId]);
}

/** Neither the payout nor its account is frozen. A payout in `sending` continues: the provider may have sent it. */
const NOT_FROZEN = `frozen_at IS NULL
       AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = account_id AND a.withdrawals_frozen_at IS NOT NULL)`;

/** A reversal after the approval can leave a debt. The payout waits until later rewards have paid it, or is rejected. */
const NOT_IN_DEBT = `coalesce((SELECT l.balance_kopecks FROM ledger_accounts l
  WHERE l.kind = 'available' AND l.owner_id = payouts.account_id), 0) >= 0`;

/** Returns whether a payout is due that needs the current rate. */
export async function needsRate(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM payouts WHERE status = 'approved' AND method = 'crypto-pay' AND next_attempt_at <= $1
       AND ${NOT_FROZEN} LIMIT 1`,
    [now],
  );
  return rows.length > 0;
}

/** Locks and returns the payout that is due longest; concurrent workers skip it. An approved payout needs a rate. */
export async function lockNextToSend(tx: Transaction, now: Date, hasRate: boolean): Promise<Payout | undefined> {
  const [row] = await tx.query<PayoutRow>(
    `SELECT ${COLUMNS} FROM payouts
     WHERE status IN ('approved', 'sending') AND method = 'crypto-pay' AND next_attempt_at <= $1
       AND (status = 'sending' OR ($2 AND ${NOT_FROZEN} AND ${NOT_IN_DEBT}))
     ORDER BY next_attempt_at, payouts.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [now, hasRate],
  );
  return row && toPayout(row);
}

export async function saveAttempt(
  tx: Transaction,
  { payoutId, quote, now, leaseUntil }: { payoutId: number; quote: Quote; now: Date; leaseUntil: Date },
): Promise<void> {
  await tx.query(
    `UPDATE payouts SET status = 'sending', asset = $2, asset_rate = $3, asset_amount = $4, attempts = attempts + 1,
       unconfirmed_since = coalesce(unconfirmed_since, $5), next_attempt_at = $6
     WHERE id = $1`,
    [payoutId, quote.asset, quote.rate, quote.amount, now, leaseUntil],
  );
}

export async function postponePayout(
  tx: Transaction,
  { payoutId, until, error }: { payoutId: number; until: Date; error: string },
): Promise<void> {
  await tx.query('UPDATE payouts SET next_attempt_at = $2, last_error = $3 WHERE id = $1', [payoutId, until, error]);
}

/** Stores that nothing was sent and nothing is in doubt. The next attempt reads a new rate. */
export async function saveRefused(
  tx: Transaction,
  { payoutId, until, error }: { payoutId: number; until: Date; error: string },
): Promise<void> {
  await tx.query(
    `UPDATE payouts SET status = 'approved', next_attempt_at = $2, last_error = $3, unconfirmed_since = NULL, asset = NULL,
       asset_rate = NULL, asset_amount = NULL
     WHERE id = $1`,
    [payoutId, until, error],
  );
}
