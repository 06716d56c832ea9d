import type { Queryable } from '../../../core/database.ts';
import type { Task, TaskKey } from '../task.ts';
import { keyColumns, TASK_COLUMNS, type TaskRow, toTask } from '../task-rows.ts';

/**
 * Takes reversible tasks whose next look is due, and puts that look off by a lease: another worker passes them by, and
 * when this one is killed they fall due again by themselves.
 */
export async function claimDueTasks(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `WITH due AS (
       SELECT user_id, bot_id, order_id FROM tasks
       WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1
       ORDER BY next_check_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     UPDATE tasks o SET next_check_at = $2 FROM due
     WHERE o.user_id = due.user_id AND o.bot_id = due.bot_id AND o.order_id = due.order_id
     RETURNING ${TASK_COLUMNS}`,
    [now, leaseUntil, limit],
  );
  return rows.map(toTask);
}

/** The tasks for which leaving this resource would take a reward back. */
export async function findReversibleTasks(db: Queryable, userId: number, resourceId: number): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks o
     WHERE o.user_id = $1 AND o.resource_id = $2 AND o.state IN ('held', 'paid')`,
    [userId, resourceId],
  );
  return rows.map(toTask);
}

/** Makes reversible tasks due now, so that the settlement job checks them ahead of their time. */
export async function checkSoon(db: Queryable, keys: readonly TaskKey[], now: Date): Promise<void> {
  await db.query(
    `UPDATE tasks o SET next_check_at = least(o.next_check_at, $4::timestamptz)
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id)
     WHERE o.user_id = k.user_id AND o.bot_id = k.bot_id AND o.order_id = k.order_id AND o.state IN ('held', 'paid')`,
    [...keyColumns(keys), now],
  );
}

/** Tasks of a user for a chat that are in hold although their hold is over. */
export async function findWaitingForJoin(
  db: Queryable,
  { userId, chatId, now }: { userId: number; chatId: number; now: Date },
): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks o JOIN resources r ON r.id = o.resource_id
     WHERE o.user_id = $1 AND r.chat_id = $2 AND o.state = 'held' AND o.release_at <= $3`,
    [userId, chatId, now],
  );
  return rows.map(toTask);
}
