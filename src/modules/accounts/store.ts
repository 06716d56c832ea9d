import type { Queryable, Transaction } from '../../core/database.ts';

export interface Account {
  readonly id: number;
  readonly telegramUserId: number;
  readonly name: string;
}

interface AccountRow {
  id: bigint;
  telegram_user_id: bigint;
  name: string;
}

const toAccount = (row: AccountRow): Account => ({
  id: Number(row.id),
  telegramUserId: Number(row.telegram_user_id),
  name: row.name,
});

/** Answers nothing when that Telegram user has an account already. */
export async function insertAccount(
  tx: Transaction,
  account: { telegramUserId: number; name: string; at: Date },
): Promise<Account | undefined> {
  const [row] = await tx.query<AccountRow>(
    `INSERT INTO accounts (telegram_user_id, name, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (telegram_user_id) DO NOTHING RETURNING id, telegram_user_id, name`,
    [account.telegramUserId, account.name, account.at],
  );
  return row && toAccount(row);
}

export async function findAccount(db: Queryable, id: number): Promise<Account | undefined> {
  const [row] = await db.query<AccountRow>('SELECT id, telegram_user_id, name FROM accounts WHERE id = $1', [id]);
  return row && toAccount(row);
}

export async function findAccountByTelegramUser(db: Queryable, telegramUserId: number): Promise<Account | undefined> {
  const [row] = await db.query<AccountRow>(
    'SELECT id, telegram_user_id, name FROM accounts WHERE telegram_user_id = $1',
    [telegramUserId],
  );
  return row && toAccount(row);
}

export async function listAccounts(db: Queryable, limit: number): Promise<Account[]> {
  const rows = await db.query<AccountRow>('SELECT id, telegram_user_id, name FROM accounts ORDER BY id LIMIT $1', [
    limit,
  ]);
  return rows.map(toAccount);
}
