import type { Queryable } from '../../../core/database.ts';

/** The number of refused confirms of one user on one day. */
export interface RefusalCount {
  readonly userId: number;
  /** A business day, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly refused: number;
}

/** Adds all counts in one statement, ordered by key, so that two processes cannot deadlock. */
export async function addRefusals(db: Queryable, counts: readonly RefusalCount[]): Promise<void> {
  if (counts.length === 0) return;
  await db.query(
    `INSERT INTO confirm_refusals AS c (user_id, day, refused)
     SELECT t.user_id, t.day, sum(t.refused)
     FROM unnest($1::bigint[], $2::date[], $3::int[]) AS t (user_id, day, refused)
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (user_id, day) DO UPDATE SET refused = c.refused + excluded.refused`,
    [counts.map(({ userId }) => userId), counts.map(({ day }) => day), counts.map(({ refused }) => refused)],
  );
}

/** Deletes rows of older days, oldest first. Skips locked rows. Returns the number of deleted rows. */
export async function deleteRefusals(db: Queryable, beforeDay: string, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id, day FROM confirm_refusals WHERE day < $1::date ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM confirm_refusals c USING old WHERE c.user_id = old.user_id AND c.day = old.day RETURNING 1`,
    [beforeDay, limit],
  );
  return rows.length;
}
