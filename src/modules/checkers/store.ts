import type { Queryable, Transaction } from '../../core/database.ts';

/** Why a checker bot no longer checks: an operator removed it, or Telegram no longer accepts its token. */
export type CheckerStop = 'removed' | 'revoked';

/** A bot of the operators that checks members and receives joins and leaves. */
export interface Checker {
  /** Telegram's id of the bot. */
  readonly botId: number;
  readonly username: string;
  readonly tokenEncrypted: Buffer;
  readonly addedAt: Date;
  /** When another program last received the updates of the bot; null when none does. */
  readonly conflictAt: Date | null;
  /** Null while the bot checks. */
  readonly stopReason: CheckerStop | null;
}

export async function listCheckers(db: Queryable): Promise<Checker[]> {
  return db.query<Checker>(
    `SELECT bot_id::float8 AS "botId", username, token_encrypted AS "tokenEncrypted", added_at AS "addedAt",
       conflict_at AS "conflictAt", stop_reason AS "stopReason"
     FROM checkers ORDER BY added_at, bot_id`,
  );
}

/** Stores a checker bot. The token of a known bot replaces the old one, and the bot checks again. */
export async function upsertChecker(
  tx: Transaction,
  checker: Pick<Checker, 'botId' | 'username' | 'tokenEncrypted'> & { readonly at: Date },
): Promise<'added' | 'replaced'> {
  const [row] = await tx.query<{ is_new: boolean }>(
    `INSERT INTO checkers AS c (bot_id, username, token_encrypted, added_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (bot_id) DO UPDATE SET username = excluded.username, token_encrypted = excluded.token_encrypted,
       stopped_at = NULL, stop_reason = NULL, conflict_at = NULL
     RETURNING xmax = 0 AS is_new`,
    [checker.botId, checker.username, checker.tokenEncrypted, checker.at],
  );
  return row?.is_new === true ? 'added' : 'replaced';
}

/** Returns whether the checker bot checked until now. */
export async function markStopped(
  tx: Transaction,
  { botId, reason, at }: { readonly botId: number; readonly reason: CheckerStop; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE checkers SET stopped_at = $3, stop_reason = $2
     WHERE bot_id = $1 AND (stop_reason IS NULL OR ($2 = 'removed' AND stop_reason <> 'removed')) RETURNING bot_id`,
    [botId, reason, at],
  );
  return rows.length > 0;
}

/** Stores since when another program receives the bot's updates; null when none does. Returns whether that changed. */
export async function markConflict(tx: Transaction, botId: number, at: Date | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE checkers SET conflict_at = $2 WHERE bot_id = $1 AND (conflict_at IS NULL) <> ($2::timestamptz IS NULL)
     RETURNING bot_id`,
    [botId, at],
  );
  return rows.length > 0;
}

/** Deletes a removed checker bot that no channel needs any more. Returns whether it was deleted. */
export async function deleteRemoved(tx: Transaction, botId: number): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM checkers c WHERE bot_id = $1 AND stop_reason = 'removed'
       AND NOT EXISTS (SELECT FROM resources r WHERE r.checker_id = c.bot_id) RETURNING bot_id`,
    [botId],
  );
  if (rows.length > 0) await tx.query('DELETE FROM checker_intake WHERE bot_id = $1', [botId]);
  return rows.length > 0;
}
