import type { Queryable } from '../../core/database.ts';

/** An account as an operator sees it in a list. */
export interface AccountSummary {
  readonly id: number;
  readonly telegramUserId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly bannedAt: Date | null;
  readonly banReason: string | null;
}

interface SummaryRow {
  id: bigint;
  telegram_user_id: bigint;
  name: string;
  created_at: Date;
  banned_at: Date | null;
  ban_reason: string | null;
}

const COLUMNS = 'id, telegram_user_id, name, created_at, banned_at, ban_reason';

const toSummary = (row: SummaryRow): AccountSummary => ({
  id: Number(row.id),
  telegramUserId: Number(row.telegram_user_id),
  name: row.name,
  createdAt: row.created_at,
  bannedAt: row.banned_at,
  banReason: row.ban_reason,
});

export async function findAccountSummary(db: Queryable, accountId: number): Promise<AccountSummary | undefined> {
  const [row] = await db.query<SummaryRow>(`SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [accountId]);
  return row && toSummary(row);
}

/** Finds accounts by account number or Telegram id, because operators confuse the two. Returns at most two. */
export async function findAccountsByNumber(db: Queryable, number: number): Promise<AccountSummary[]> {
  const rows = await db.query<SummaryRow>(
    `SELECT ${COLUMNS} FROM accounts WHERE id = $1 OR telegram_user_id = $1 ORDER BY id`,
    [number],
  );
  return rows.map(toSummary);
}

/** Returns accounts with ids below `before`, newest first. */
export async function listAccountsPage(
  db: Queryable,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<AccountSummary[]> {
  const rows = await db.query<SummaryRow>(
    `SELECT ${COLUMNS} FROM accounts WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before ?? null, limit],
  );
  return rows.map(toSummary);
}
