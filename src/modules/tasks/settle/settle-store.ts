import type { Queryable } from '../../../core/database.ts';
import type { Task, TaskKey } from '../task.ts';
import { keyColumns, TASK_COLUMNS, type TaskRow, toTask } from '../task-rows.ts';

/**
 * Leases reversible tasks whose check is due by moving the check into the future: other workers skip them, and when
 * this worker is killed they fall due again.
 */
export async function leaseDueTasks(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<Task[]> {
  const rows = await db.query<TaskRow>(
    `WITH due AS (
       SELECT user_id, bot_id, order_id FROM tasks
       WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1
       ORDER BY next_check_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     UPDATE tasks t SET next_check_at = $2 FROM due
     WHERE t.user_id = due.user_id AND t.bot_id = due.bot_id AND t.order_id = due.order_id
     RETURNING ${TASK_COLUMNS}`,
    [now, leaseUntil, limit],
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
