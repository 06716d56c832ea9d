import type { Update } from 'grammy/types';
import type { Queryable } from '../core/database.ts';

/** The bot that received the updates: a checker bot by its Telegram id; null: the management bot. */
type ReceivedBy = number | null;

/** Stores updates that are still being handled, so that they can be acknowledged before they are done. */
export async function keepUnfinished(
  db: Queryable,
  updates: readonly Update[],
  botId: ReceivedBy = null,
): Promise<void> {
  const values = [updates.map(({ update_id }) => update_id), updates.map((update) => JSON.stringify(update))];
  if (botId === null) {
    await db.query(
      `INSERT INTO unfinished_updates (update_id, body)
       SELECT * FROM unnest($1::bigint[], $2::jsonb[]) ON CONFLICT (update_id) DO NOTHING`,
      values,
    );
    return;
  }
  await db.query(
    `INSERT INTO unfinished_checker_updates (update_id, body, bot_id)
     SELECT *, $3::bigint FROM unnest($1::bigint[], $2::jsonb[]) ON CONFLICT (bot_id, update_id) DO NOTHING`,
    [...values, botId],
  );
}

export async function forgetUnfinished(db: Queryable, updateId: number, botId: ReceivedBy = null): Promise<void> {
  if (botId === null) await db.query('DELETE FROM unfinished_updates WHERE update_id = $1', [updateId]);
  else await db.query('DELETE FROM unfinished_checker_updates WHERE update_id = $1 AND bot_id = $2', [updateId, botId]);
}

/**
 * Returns the updates that a killed process was handling, the oldest first. Drops those older than a day, as Telegram
 * does.
 */
export async function readUnfinished(db: Queryable, botId: ReceivedBy = null): Promise<Update[]> {
  const table = botId === null ? 'unfinished_updates' : 'unfinished_checker_updates';
  await db.query(`DELETE FROM ${table} WHERE stored_at < clock_timestamp() - interval '1 day'`);
  const rows = await db.query<{ body: Update }>(
    botId === null
      ? 'SELECT body FROM unfinished_updates ORDER BY update_id LIMIT 1000'
      : 'SELECT body FROM unfinished_checker_updates WHERE bot_id = $1 ORDER BY update_id LIMIT 1000',
    botId === null ? [] : [botId],
  );
  return rows.map(({ body }) => body);
}
