import type { Queryable } from '../../core/database.ts';

export async function isBotOwner(db: Queryable, accountId: number, username: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM bot_owners WHERE account_id = $1 AND username = $2', [
    accountId,
    username,
  ]);
  return rows.length > 0;
}

export async function recordBotOwner(
  db: Queryable,
  { accountId, username, at }: { readonly accountId: number; readonly username: string; readonly at: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO bot_owners (account_id, username, proved_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [accountId, username, at],
  );
}
