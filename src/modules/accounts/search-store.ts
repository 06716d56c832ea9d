import type { Queryable } from '../../core/database.ts';
import type { Language } from '../../core/locale.ts';
import type { Kopecks } from '../../core/money.ts';

/** An account as an operator sees it in a list. */
export interface AccountSummary {
  readonly id: number;
  readonly telegramUserId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly bannedAt: Date | null;
  readonly banReason: string | null;
}

const COLUMNS = `id::float8 AS id, telegram_user_id::float8 AS "telegramUserId", name, created_at AS "createdAt",
  banned_at AS "bannedAt", ban_reason AS "banReason"`;

export async function findAccountSummary(db: Queryable, accountId: number): Promise<AccountSummary | undefined> {
  const [row] = await db.query<AccountSummary>(`SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [accountId]);
  return row;
}

/** Finds accounts by account number or Telegram id, because operators confuse the two. Returns at most two. */
export async function findAccountsByNumber(db: Queryable, number: number): Promise<AccountSummary[]> {
  return db.query<AccountSummary>(
    `SELECT ${COLUMNS} FROM accounts WHERE id = $1 OR telegram_user_id = $1 ORDER BY accounts.id`,
    [number],
  );
}

/** Returns accounts with ids below `before`, newest first. */
export async function listAccountsPage(
  db: Queryable,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<AccountSummary[]> {
  return db.query<AccountSummary>(
    `SELECT ${COLUMNS} FROM accounts WHERE $1::bigint IS NULL OR id < $1 ORDER BY accounts.id DESC LIMIT $2`,
    [before ?? null, limit],
  );
}

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
  return db.query<Debtor>(
    `SELECT a.id::float8 AS "accountId", a.name, -b.balance_kopecks AS "debtKopecks",
            coalesce(h.balance_kopecks, 0) AS "holdKopecks", a.banned_at IS NOT NULL AS "isBanned"
     FROM ledger_accounts b
     JOIN accounts a ON a.id = b.owner_id
     LEFT JOIN ledger_accounts h ON h.kind = 'hold' AND h.owner_id = b.owner_id
     WHERE b.kind = 'available' AND b.balance_kopecks < 0
     ORDER BY b.balance_kopecks, a.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
}

/** An account that receives broadcasts. */
export interface Recipient {
  readonly accountId: number;
  readonly telegramUserId: number;
  readonly language: Language;
}

/** Counts the accounts that existed at `openedBy` and are not banned. */
export async function countRecipients(db: Queryable, openedBy: Date): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    'SELECT count(*) AS count FROM accounts WHERE created_at <= $1 AND banned_at IS NULL',
    [openedBy],
  );
  return Number(row?.count ?? 0);
}

/** Returns the same accounts by id, above `after`. An account without a known language gets Russian. */
export async function listRecipients(
  db: Queryable,
  { after, openedBy, limit }: { after: number; openedBy: Date; limit: number },
): Promise<Recipient[]> {
  return db.query<Recipient>(
    `SELECT id::float8 AS "accountId", telegram_user_id::float8 AS "telegramUserId",
            coalesce(language, telegram_language, 'ru') AS language FROM accounts
     WHERE id > $1 AND created_at <= $2 AND banned_at IS NULL ORDER BY id LIMIT $3`,
    [after, openedBy, limit],
  );
}
