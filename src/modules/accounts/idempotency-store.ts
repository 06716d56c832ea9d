import type { Queryable, Transaction } from '../../core/database.ts';

/** Locks the key for this transaction. Returns false when another request holds it. */
export async function tryLockKey(tx: Transaction, accountId: number, key: string): Promise<boolean> {
  const [row] = await tx.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS got', [
    `idempotency:${accountId}:${key}`,
  ]);
  return row?.got ?? false;
}

export interface StoredResult {
  readonly requestHash: Buffer;
  readonly answer: unknown;
}

export async function findResult(tx: Transaction, accountId: number, key: string): Promise<StoredResult | undefined> {
  const [row] = await tx.query<StoredResult>(
    'SELECT request_hash AS "requestHash", answer FROM idempotency_keys WHERE account_id = $1 AND key = $2',
    [accountId, key],
  );
  return row;
}

export async function insertResult(
  tx: Transaction,
  entry: { accountId: number; key: string; requestHash: Buffer; answer: unknown; at: Date },
): Promise<void> {
  await tx.query(
    'INSERT INTO idempotency_keys (account_id, key, request_hash, answer, created_at) VALUES ($1, $2, $3, $4, $5)',
    [entry.accountId, entry.key, entry.requestHash, JSON.stringify(entry.answer), entry.at],
  );
}

/** Deletes results that were stored before `storedBefore`, oldest first. Returns the number of deleted results. */
export async function deleteResults(db: Queryable, storedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT account_id, key FROM idempotency_keys WHERE created_at < $1
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM idempotency_keys k USING old WHERE k.account_id = old.account_id AND k.key = old.key RETURNING 1`,
    [storedBefore, limit],
  );
  return rows.length;
}
