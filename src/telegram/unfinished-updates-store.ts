import type { Update } from 'grammy/types';
import type { Queryable } from '../core/database.ts';

/** Stores updates that are still being handled, so that they can be acknowledged before they are done. */
export async function keepUnfinished(db: Queryable, updates: readonly Update[]): Promise<void> {
  await db.query(
    `INSERT INTO unfinished_updates (update_id, body)
     SELECT * FROM unnest($1::bigint[], $2::jsonb[]) ON CONFLICT (update_id) DO NOTHING`,
    [updates.map(({ update_id }) => update_id), updates.map((update) => JSON.stringify(update))],
  );
}

export async function forgetUnfinished(db: Queryable, updateId: number): Promise<void> {
  await db.query('DELETE FROM unfinished_updates WHERE update_id = $1', [updateId]);
}

/**
 * Returns the updates that a killed process was handling, the oldest first. Drops those older than a day, as Telegram
 * does.
 */
export async function readUnfinished(db: Queryable): Promise<Update[]> {
  await db.query("DELETE FROM unfinished_updates WHERE stored_at < clock_timestamp() - interval '1 day'");
  const rows = await db.query<{ body: Update }>('SELECT body FROM unfinished_updates ORDER BY update_id LIMIT 1000');
  return rows.map(({ body }) => body);
}
