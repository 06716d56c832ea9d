import { Value } from 'typebox/value';
import { addSeconds } from '../../core/clock.ts';
import type { Queryable, Transaction } from '../../core/database.ts';
import { type NewNotice, NOTICE_DATA, type Notice } from './notice.ts';

/** Stores notices that are due at `dueAt`. Skips kinds that the account has muted. */
export async function insertNotices(tx: Transaction, notices: readonly NewNotice[], dueAt: Date): Promise<void> {
  await tx.query(
    `INSERT INTO notices (account_id, kind, data, due_at)
     SELECT n.account_id, n.kind, n.data, $4
     FROM unnest($1::bigint[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS n (account_id, kind, data, position)
       JOIN accounts a ON a.id = n.account_id AND NOT n.kind = ANY(a.muted_notices)
     ORDER BY n.position`,
    [
      notices.map(({ accountId }) => accountId),
      notices.map(({ kind }) => kind),
      notices.map(({ data }) => JSON.stringify(data)),
      dueAt,
    ],
  );
}

/**
 * Keeps one row per account and hour, whatever the number of reversals. Sorts the accounts, so that two batches cannot
 * deadlock.
 */
export async function addToDigests(
  tx: Transaction,
  digests: ReadonlyMap<number, { readonly count: number; readonly amountKopecks: bigint }>,
  dueAt: Date,
): Promise<void> {
  const sorted = [...digests].sort(([a], [b]) => a - b);
  await tx.query(
    `INSERT INTO notices AS n (account_id, kind, data, due_at)
     SELECT d.account_id, 'subscriptions_reversed',
            jsonb_build_object('count', d.count, 'amount', d.amount::text), $4
     FROM unnest($1::bigint[], $2::integer[], $3::bigint[]) AS d (account_id, count, amount)
       JOIN accounts a ON a.id = d.account_id AND NOT 'subscriptions_reversed' = ANY(a.muted_notices)
     ORDER BY d.account_id
     ON CONFLICT (account_id, due_at) WHERE kind = 'subscriptions_reversed' AND attempts = 0 DO UPDATE SET
       data = jsonb_build_object(
         'count', (n.data->>'count')::integer + (excluded.data->>'count')::integer,
         'amount', ((n.data->>'amount')::bigint + (excluded.data->>'amount')::bigint)::text)`,
    [
      sorted.map(([accountId]) => accountId),
      sorted.map(([, { count }]) => count),
      sorted.map(([, { amountKopecks }]) => amountKopecks),
      dueAt,
    ],
  );
}

/**
 * Leases due notices, oldest first. A notice becomes due again when its lease ends, unless `forgetNotices` deletes it.
 * A crash in between delays the message or sends it twice, but never loses it.
 */
export async function takeNotices(
  db: Queryable,
  { now, leaseSeconds, limit }: { now: Date; leaseSeconds: number; limit: number },
): Promise<Notice[]> {
  const rows = await db.query<Omit<Notice, 'data'> & { readonly data: unknown }>(
    `UPDATE notices SET due_at = $2, attempts = attempts + 1
     WHERE id IN (SELECT id FROM notices WHERE due_at <= $1 ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id::float8 AS id, account_id::float8 AS "accountId", kind, data, attempts`,
    [now, addSeconds(now, leaseSeconds), limit],
  );
  // Skip notices of a newer version: this version could send a wrong text. They wait for the newer process.
  return rows
    .filter((row): row is Notice => row.kind in NOTICE_DATA && Value.Check(NOTICE_DATA[row.kind], row.data))
    .sort((a, b) => a.id - b.id);
}

export async function forgetNotices(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query('DELETE FROM notices WHERE id = ANY($1::bigint[])', [ids]);
}

export async function postponeNotices(db: Queryable, ids: readonly number[], until: Date): Promise<void> {
  await db.query('UPDATE notices SET due_at = $2 WHERE id = ANY($1::bigint[])', [ids, until]);
}

export async function findAccountsOf(tx: Transaction, telegramUserIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: bigint }>(
    'SELECT id FROM accounts WHERE telegram_user_id = ANY($1::bigint[]) ORDER BY id',
    [telegramUserIds],
  );
  return rows.map((row) => Number(row.id));
}
