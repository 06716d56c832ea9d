import type { Queryable } from '../../../core/database.ts';

/** Overdue work. */
export interface Backlog {
  /** Counted up to a limit, because an exact count would be slow. */
  readonly count: number;
  readonly oldestDueAt: Date | null;
}

const COUNT_LIMIT = 10_000;
/** A leased task (settle-due.ts) is still due. */
const LEASE_SECONDS = 30;

interface BacklogRow {
  count: bigint;
  oldest: Date | null;
}

const toBacklog = (row: BacklogRow | undefined): Backlog => ({
  count: Number(row?.count ?? 0),
  oldestDueAt: row?.oldest ?? null,
});

/** Returns the tasks whose hold or window is over and that are not settled yet. */
export async function readTasksToSettle(db: Queryable, now: Date): Promise<Backlog> {
  // Every check moves next_check_at, so the age is measured from the promised time.
  const [row] = await db.query<BacklogRow>(
    `SELECT count(*) AS count, min(due_at) AS oldest
     FROM (SELECT CASE state WHEN 'held' THEN release_at WHEN 'paid' THEN window_ends_at ELSE next_check_at END AS due_at
           FROM tasks
           WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1::timestamptz + make_interval(secs => $3)
           ORDER BY next_check_at LIMIT $2) AS seen
     WHERE due_at <= $1`,
    [now, COUNT_LIMIT, LEASE_SECONDS],
  );
  return toBacklog(row);
}

/** Returns when the next check of a subscription is due after this time. */
export async function readNextCheck(db: Queryable, after: Date): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `SELECT min(next_check_at) AS at FROM tasks
     WHERE state IN ('pending', 'held', 'paid') AND next_check_at > $1`,
    [after],
  );
  return row?.at ?? null;
}

/** Returns the lists with lapsed tasks that still have their reservation. */
export async function readTasksToExpire(db: Queryable, now: Date): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>(
    `SELECT count(*) AS count, min(expires_at) AS oldest
     FROM (SELECT expires_at FROM task_lists WHERE expires_at <= $1
           ORDER BY expires_at LIMIT $2) AS seen`,
    [now, COUNT_LIMIT],
  );
  return toBacklog(row);
}
