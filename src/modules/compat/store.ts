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
  return db.query<TaskRecord>(
    `SELECT order_id::float8 AS "orderId", state, shown_at AS "shownAt" FROM all_tasks
     WHERE user_id = $1 AND bot_id = $2 ORDER BY shown_at, order_id LIMIT $3`,
    [userId, botId, limit],
  );
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

/** Why a gate message was not sent. */
export type MessageFailure =
  | 'no_token'
  | 'token_unreadable'
  | 'token_refused'
  | 'user_refused'
  | 'message_refused'
  | 'unreachable';

export interface MessageState {
  /** The encrypted Telegram token of the bot. */
  readonly sealed: Buffer | undefined;
  /** The last message that was not sent. */
  readonly failure: { readonly reason: MessageFailure; readonly failedAt: Date } | undefined;
}

export async function readMessageState(db: Queryable, botId: number): Promise<MessageState> {
  const [row] = await db.query<{ sealed: Buffer | null; reason: MessageFailure | null; failedAt: Date | null }>(
    `SELECT t.token_encrypted AS sealed, f.reason, f.failed_at AS "failedAt"
     FROM bots b
     LEFT JOIN bot_telegram_tokens t ON t.bot_id = b.id
     LEFT JOIN gate_message_failures f ON f.bot_id = b.id
     WHERE b.id = $1`,
    [botId],
  );
  const { sealed, reason, failedAt } = row ?? {};
  return {
    sealed: sealed ?? undefined,
    failure: reason == null || failedAt == null ? undefined : { reason, failedAt },
  };
}

export async function upsertMessageFailure(
  db: Queryable,
  { botId, reason, at }: { botId: number; reason: MessageFailure; at: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO gate_message_failures (bot_id, reason, failed_at) VALUES ($1, $2, $3)
     ON CONFLICT (bot_id) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`,
    [botId, reason, at],
  );
}

export async function deleteMessageFailure(db: Queryable, botId: number): Promise<void> {
  await db.query('DELETE FROM gate_message_failures WHERE bot_id = $1', [botId]);
}
