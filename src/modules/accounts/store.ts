import type { Queryable, Transaction } from '../../core/database.ts';
import type { Language } from '../../core/locale.ts';

export interface Account {
  readonly id: number;
  readonly telegramUserId: number;
  readonly name: string;
  /** The language that the owner chose in the bot; null means the language of the owner's Telegram. */
  readonly language: Language | null;
  /** The language of the owner's Telegram at their last message to the bot. */
  readonly seenLanguage: Language | null;
  /** Kinds of notices that the owner does not want. */
  readonly mutedNotices: ReadonlySet<string>;
  /** When an operator banned the account. Its tokens get 401, and the bot ignores its owner. */
  readonly bannedAt: Date | null;
}

const COLUMNS = `id::float8 AS id, telegram_user_id::float8 AS "telegramUserId", name, language,
  telegram_language AS "seenLanguage", muted_notices AS "mutedNotices", banned_at AS "bannedAt"`;

type AccountRow = Omit<Account, 'mutedNotices'> & { readonly mutedNotices: readonly string[] };

const toAccount = (row: AccountRow): Account => ({ ...row, mutedNotices: new Set(row.mutedNotices) });

/** Stores an account. Returns undefined if the Telegram user has one already. */
export async function insertAccount(
  tx: Transaction,
  account: { telegramUserId: number; name: string; at: Date },
): Promise<Account | undefined> {
  const [row] = await tx.query<AccountRow>(
    `INSERT INTO accounts (telegram_user_id, name, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (telegram_user_id) DO NOTHING RETURNING ${COLUMNS}`,
    [account.telegramUserId, account.name, account.at],
  );
  return row && toAccount(row);
}

export async function findAccount(db: Queryable, id: number): Promise<Account | undefined> {
  const [row] = await db.query<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [id]);
  return row && toAccount(row);
}

export async function findAccountByTelegramUser(db: Queryable, telegramUserId: number): Promise<Account | undefined> {
  const [row] = await db.query<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE telegram_user_id = $1`, [
    telegramUserId,
  ]);
  return row && toAccount(row);
}

export async function listAccounts(db: Queryable, limit: number): Promise<Account[]> {
  const rows = await db.query<AccountRow>(`SELECT ${COLUMNS} FROM accounts ORDER BY accounts.id LIMIT $1`, [limit]);
  return rows.map(toAccount);
}

export async function setSeenLanguage(db: Queryable, accountId: number, language: Language): Promise<void> {
  await db.query('UPDATE accounts SET telegram_language = $2 WHERE id = $1', [accountId, language]);
}

export async function setLanguage(db: Queryable, accountId: number, language: Language): Promise<void> {
  await db.query('UPDATE accounts SET language = $2 WHERE id = $1', [accountId, language]);
}

/** Mutes or unmutes a kind of notice. The bot defines the kinds. */
export async function setMuted(db: Queryable, accountId: number, kind: string, isMuted: boolean): Promise<void> {
  await db.query(
    `UPDATE accounts SET muted_notices = array_remove(muted_notices, $2) || CASE WHEN $3 THEN ARRAY[$2] ELSE '{}' END
     WHERE id = $1`,
    [accountId, kind, isMuted],
  );
}
