import type { Queryable } from '../../core/database.ts';
import type { Language } from '../../core/locale.ts';

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
  const rows = await db.query<{ id: bigint; telegram_user_id: bigint; language: Language }>(
    `SELECT id, telegram_user_id, coalesce(language, telegram_language, 'ru') AS language FROM accounts
     WHERE id > $1 AND created_at <= $2 AND banned_at IS NULL ORDER BY id LIMIT $3`,
    [after, openedBy, limit],
  );
  return rows.map((row) => ({
    accountId: Number(row.id),
    telegramUserId: Number(row.telegram_user_id),
    language: row.language,
  }));
}
