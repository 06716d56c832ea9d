import { addSeconds } from '../../../core/clock.ts';
import type { Queryable } from '../../../core/database.ts';
import type { Task, TaskKey } from '../task.ts';
import { keyColumns, TASK_COLUMNS, type TaskRow, toTask } from '../task-rows.ts';

/** The tasks of a killed worker, and those whose check failed, fall due again after this long. */
const LEASE_SECONDS = 30;

/**
 * Leases reversible tasks whose check is due by moving the check into the future: other workers skip them, and when
 * this worker is killed they fall due again.
 */
export async function leaseDueTasks(
  db: Queryable,
  {
    now,
    limit,
    checkerId,
  }: {
    now: Date;
    limit: number;
    /** Leases only tasks of channels with this checker bot; null: of all resources that have none. */
    checkerId?: number | null | undefined;
  },
): Promise<Task[]> {
  const ofChecker =
    checkerId === undefined
      ? ''
      : `AND EXISTS (SELECT FROM resources r WHERE r.id = t.resource_id AND r.checker_id IS NOT DISTINCT FROM $4::bigint)`;
  const rows = await db.query<TaskRow>(
    `WITH due AS (
       SELECT user_id, bot_id, order_id FROM tasks t
       WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1 ${ofChecker}
       ORDER BY next_check_at LIMIT $3
       FOR UPDATE OF t SKIP LOCKED)
     UPDATE tasks t SET next_check_at = $2 FROM due
     WHERE t.user_id = due.user_id AND t.bot_id = due.bot_id AND t.order_id = due.order_id
     RETURNING ${TASK_COLUMNS}`,
    [now, addSeconds(now, LEASE_SECONDS), limit, ...(checkerId === undefined ? [] : [checkerId])],
  );
  return rows.map(toTask);
}

/** Returns the tasks whose reward is reversed when the user leaves this resource. */
export async function findReversibleTasks(db: Queryable, userId: number, resourceId: number): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t
     WHERE t.user_id = $1 AND t.resource_id = $2 AND t.state IN ('held', 'paid')`,
    [userId, resourceId],
  );
  return rows.map(toTask);
}

/** Makes reversible tasks due now, so that the settlement job checks them early. */
export async function checkSoon(db: Queryable, keys: readonly TaskKey[], now: Date): Promise<void> {
  await db.query(
    `UPDATE tasks t SET next_check_at = least(t.next_check_at, $4::timestamptz)
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id)
     WHERE t.user_id = k.user_id AND t.bot_id = k.bot_id AND t.order_id = k.order_id AND t.state IN ('held', 'paid')`,
    [...keyColumns(keys), now],
  );
}

/** Makes the held tasks of a user due now whose hold has ended. They waited for the human check. */
export async function checkHeldSoon(db: Queryable, userId: number, now: Date): Promise<void> {
  await db.query(
    `UPDATE tasks SET next_check_at = $2 WHERE user_id = $1 AND state = 'held' AND release_at <= $2 AND next_check_at > $2`,
    [userId, now],
  );
}

/** Returns a user's tasks for a chat that are still held after their hold has ended. */
export async function findWaitingForJoin(
  db: Queryable,
  { userId, chatId, now }: { userId: number; chatId: number; now: Date },
): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t JOIN resources r ON r.id = t.resource_id
     WHERE t.user_id = $1 AND r.chat_id = $2 AND t.state = 'held' AND t.release_at <= $3`,
    [userId, chatId, now],
  );
  return rows.map(toTask);
}

/** Overdue work. */
export interface Backlog {
  /** Counted up to a limit, because an exact count would be slow. */
  readonly count: number;
  readonly oldestDueAt: Date | null;
}

const COUNT_LIMIT = 10_000;

const NO_BACKLOG: Backlog = { count: 0, oldestDueAt: null };

/** Returns the tasks whose hold or window is over and that are not settled yet. */
export async function readTasksToSettle(db: Queryable, now: Date): Promise<Backlog> {
  // A leased task is still due. Every check moves next_check_at, so the age is measured from the promised time.
  const [row] = await db.query<Backlog>(
    `SELECT count(*)::float8 AS count, min(due_at) AS "oldestDueAt"
     FROM (SELECT CASE state WHEN 'held' THEN release_at WHEN 'paid' THEN window_ends_at ELSE next_check_at END AS due_at
           FROM tasks
           WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1::timestamptz + make_interval(secs => $3)
           ORDER BY next_check_at LIMIT $2) AS seen
     WHERE due_at <= $1`,
    [now, COUNT_LIMIT, LEASE_SECONDS],
  );
  return row ?? NO_BACKLOG;
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
  const [row] = await db.query<Backlog>(
    `SELECT count(*)::float8 AS count, min(expires_at) AS "oldestDueAt"
     FROM (SELECT expires_at FROM task_lists WHERE expires_at <= $1
           ORDER BY expires_at LIMIT $2) AS seen`,
    [now, COUNT_LIMIT],
  );
  return row ?? NO_BACKLOG;
}
