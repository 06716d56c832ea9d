import type { Queryable, Transaction } from '../../core/database.ts';
import type { TaskState } from '../tasks/index.ts';

/** A task of one user in one bot, open or decided. */
export interface TaskRecord {
  readonly orderId: number;
  readonly state: TaskState;
  readonly shownAt: Date;
}

/** Returns the tasks of a user in a bot, the oldest first. */
export async function readTasksOf(
  db: Queryable,
  { botId, userId, limit }: { botId: number; userId: number; limit: number },
): Promise<TaskRecord[]> {
  const rows = await db.query<{ order_id: bigint; state: TaskState; shown_at: Date }>(
    `SELECT order_id, state, shown_at FROM all_tasks WHERE user_id = $1 AND bot_id = $2
     ORDER BY shown_at, order_id LIMIT $3`,
    [userId, botId, limit],
  );
  return rows.map((row) => ({ orderId: Number(row.order_id), state: row.state, shownAt: row.shown_at }));
}

export async function upsertTelegramToken(
  tx: Transaction,
  { botId, sealed, at }: { botId: number; sealed: Buffer; at: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO bot_telegram_tokens (bot_id, token_encrypted, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (bot_id) DO UPDATE SET token_encrypted = excluded.token_encrypted, created_at = excluded.created_at`,
    [botId, sealed, at],
  );
}

export async function deleteTelegramToken(db: Queryable, botId: number): Promise<void> {
  await db.query('DELETE FROM bot_telegram_tokens WHERE bot_id = $1', [botId]);
}

export async function findTelegramToken(db: Queryable, botId: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ token_encrypted: Buffer }>(
    'SELECT token_encrypted FROM bot_telegram_tokens WHERE bot_id = $1',
    [botId],
  );
  return row?.token_encrypted;
}
