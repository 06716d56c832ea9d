import type { Queryable } from '../../core/database.ts';
import type { Mark } from './device-mark.ts';

/** The way by which a mark was learned. */
export type MarkSource = 'smart_link' | 'mini_app';

export interface SeenMark extends Mark {
  readonly userId: number;
  readonly source: MarkSource;
  readonly at: Date;
}

/** Stores marks in one statement, ordered by key, so that two processes cannot deadlock. */
export async function insertMarks(db: Queryable, marks: readonly SeenMark[]): Promise<void> {
  if (marks.length === 0) return;
  await db.query(
    `INSERT INTO device_marks AS m (mark, user_id, kind, source, seen_at)
     SELECT DISTINCT ON (mark, user_id) mark, user_id, kind, source, seen_at
     FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::text[], $5::timestamptz[])
       AS t (mark, user_id, kind, source, seen_at)
     ORDER BY mark, user_id, seen_at DESC
     ON CONFLICT (mark, user_id) DO UPDATE SET source = excluded.source, seen_at = excluded.seen_at
     WHERE excluded.seen_at > m.seen_at`,
    [
      marks.map(({ mark }) => mark),
      marks.map(({ userId }) => userId),
      marks.map(({ kind }) => kind),
      marks.map(({ source }) => source),
      marks.map(({ at }) => at),
    ],
  );
}

/** Stores that init data was used for a purpose. Returns false when it was used before. */
export async function insertOpening(
  db: Queryable,
  opening: { readonly initHash: Buffer; readonly purpose: 'mark' | 'check'; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO mini_app_openings (init_hash, purpose, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [opening.initHash, opening.purpose, opening.expiresAt],
  );
  return rows.length > 0;
}

/** Returns the sum of the strengths of a user's signals, and whether the user passed the human check. */
export async function readSuspicion(
  db: Queryable,
  userId: number,
): Promise<{ readonly strength: number; readonly isChecked: boolean }> {
  const [row] = await db.query<{ strength: number; isChecked: boolean }>(
    `SELECT (SELECT coalesce(sum(strength), 0)::int FROM user_signals WHERE user_id = $1) AS strength,
            EXISTS (SELECT FROM human_checks WHERE user_id = $1) AS "isChecked"`,
    [userId],
  );
  return row ?? { strength: 0, isChecked: false };
}

/** Stores that a user passed the human check. The first time stays. */
export async function insertHumanCheck(db: Queryable, userId: number, at: Date): Promise<void> {
  await db.query('INSERT INTO human_checks (user_id, passed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [userId, at]);
}

/** Deletes marks seen before this time, oldest first. Skips locked rows. Returns the number of deleted marks. */
export async function deleteMarks(db: Queryable, seenBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT mark, user_id FROM device_marks WHERE seen_at <= $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM device_marks m USING old WHERE m.mark = old.mark AND m.user_id = old.user_id RETURNING 1`,
    [seenBefore, limit],
  );
  return rows.length;
}

/** Deletes used init data that is rejected by its age, oldest first. Returns the number of deleted rows. */
export async function deleteOpenings(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT init_hash, purpose FROM mini_app_openings WHERE expires_at <= $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM mini_app_openings o USING old
     WHERE o.init_hash = old.init_hash AND o.purpose = old.purpose RETURNING 1`,
    [now, limit],
  );
  return rows.length;
}

/** Deletes requests for a check made before this time, oldest first. Returns the number of deleted requests. */
export async function deleteCheckRequests(db: Queryable, requestedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id FROM human_check_requests WHERE requested_at <= $1
       ORDER BY requested_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM human_check_requests r USING old WHERE r.user_id = old.user_id RETURNING 1`,
    [requestedBefore, limit],
  );
  return rows.length;
}
