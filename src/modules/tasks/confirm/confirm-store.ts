import type { Queryable, Transaction } from '../../../core/database.ts';
import { confirmableUntil, type Task, type TaskKey, type TaskState } from '../task.ts';
import { unpackTask } from '../task-list.ts';
import { keyColumns, TASK_COLUMNS, type TaskRow, toTask } from '../task-rows.ts';
import type { Standing } from './confirm-rules.ts';

export interface ConfirmKey extends TaskKey {
  readonly chatId: number;
}

export interface ConfirmFacts {
  readonly task: ConfirmableTask | undefined;
  readonly isBanned: boolean;
  /** The earliest time at which the user is known to have belonged to the task's chat. */
  readonly firstMemberAt: Date | null;
  /** The latest join of which an update told. */
  readonly joinedAt: Date | null;
  /** Whether the last that Telegram told us unasked is that the user belongs there. */
  readonly isMemberByUpdate: boolean;
}

/** What a confirm of it depends on, and when it was shown: who had joined before is not counted. */
interface ConfirmableTask extends Standing, Pick<Task, 'shownAt' | 'wasOutside'> {
  /** Until when it can be confirmed; null once a confirm has decided it. */
  readonly confirmUntil: Date | null;
}

interface KnownRow {
  index: number;
  is_banned: boolean;
  first_member_at: Date | null;
  joined_at: Date | null;
  is_member_by_update: boolean;
  state: TaskState | null;
  reward_kopecks: bigint;
  hold_seconds: number;
  shown_at: Date;
  was_outside: boolean;
  tasks: string | null;
  number: number;
  ends_at: Date;
}

/** What must be known before Telegram is asked, for many confirms in one indexed read. */
export async function readTasks(db: Queryable, keys: readonly ConfirmKey[]): Promise<ConfirmFacts[]> {
  const rows = await db.query<KnownRow>(
    `SELECT k.index::int, b.user_id IS NOT NULL AS is_banned, m.first_member_at, m.joined_at,
            coalesce(m.is_member AND m.source = 'update', false) AS is_member_by_update,
            o.state, o.reward_kopecks, o.hold_seconds, o.shown_at, o.was_outside,
            CASE WHEN o.user_id IS NULL THEN l.tasks END AS tasks, l.number, l.ends_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
       AS k (user_id, bot_id, order_id, chat_id, index)
     LEFT JOIN banned_users b ON b.user_id = k.user_id
     LEFT JOIN memberships m ON m.user_id = k.user_id AND m.chat_id = k.chat_id
     LEFT JOIN tasks o ON o.user_id = k.user_id AND o.bot_id = k.bot_id AND o.order_id = k.order_id
     LEFT JOIN task_lists l ON l.user_id = k.user_id AND l.bot_id = k.bot_id`,
    [...keyColumns(keys), keys.map((key) => key.chatId)],
  );
  const tasks = new Array<ConfirmFacts>(keys.length);
  for (const row of rows) {
    const key = keys[row.index - 1];
    if (key === undefined) continue;
    tasks[row.index - 1] = {
      task: taskIn(key, row),
      isBanned: row.is_banned,
      firstMemberAt: row.first_member_at,
      joinedAt: row.joined_at,
      isMemberByUpdate: row.is_member_by_update,
    };
  }
  return tasks;
}

/** A task that was decided has its own row; any other is in the list, if it was ever shown. */
function taskIn(key: ConfirmKey, row: KnownRow): ConfirmableTask | undefined {
  if (row.state !== null) {
    return {
      state: row.state,
      rewardKopecks: row.reward_kopecks,
      holdSeconds: row.hold_seconds,
      shownAt: row.shown_at,
      wasOutside: row.was_outside,
      confirmUntil: null,
    };
  }
  const task = row.tasks === null ? undefined : unpackTask(key, row.tasks);
  return task && { ...task, confirmUntil: confirmableUntil(task, { number: row.number, endsAt: row.ends_at }) };
}

/** Locks those of these tasks that were decided, always in the same order, and answers them as they are then. */
export async function lockTasks(tx: Transaction, keys: readonly TaskKey[]): Promise<Task[]> {
  const rows = await tx.query<TaskRow>(`${SELECT_TASKS} FOR UPDATE OF o`, keyColumns(keys));
  return rows.map(toTask);
}

/** Those of these tasks that were decided, as they are now. */
export async function findTasks(db: Queryable, keys: readonly TaskKey[]): Promise<Task[]> {
  return (await db.query<TaskRow>(SELECT_TASKS, keyColumns(keys))).map(toTask);
}

const SELECT_TASKS = `
  SELECT ${TASK_COLUMNS}
  FROM tasks o
  JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id) USING (user_id, bot_id, order_id)
  ORDER BY o.user_id, o.bot_id, o.order_id`;

/** Claims (user, resource) for each task; answers the tasks that were the first to do so, ever. */
export async function claimSubscriptions(
  tx: Transaction,
  tasks: readonly Task[],
  now: Date,
): Promise<{ userId: number; resourceId: number }[]> {
  if (tasks.length === 0) return [];
  const rows = await tx.query<{ user_id: bigint; resource_id: bigint }>(
    `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
     SELECT user_id, resource_id, bot_id, order_id, $5
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS t (user_id, resource_id, bot_id, order_id)
     ORDER BY user_id, resource_id
     ON CONFLICT DO NOTHING
     RETURNING user_id, resource_id`,
    [
      tasks.map((task) => task.userId),
      tasks.map((task) => task.resourceId),
      tasks.map((task) => task.botId),
      tasks.map((task) => task.orderId),
      now,
    ],
  );
  return rows.map((row) => ({ userId: Number(row.user_id), resourceId: Number(row.resource_id) }));
}

/** Lets the users of these tasks be counted for the resources again, by this order or another. */
export async function freeClaims(tx: Transaction, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  await tx.query(
    `DELETE FROM counted_subscriptions c
     USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS t (user_id, bot_id, order_id, resource_id)
     WHERE c.user_id = t.user_id AND c.resource_id = t.resource_id AND c.bot_id = t.bot_id AND c.order_id = t.order_id`,
    [...keyColumns(tasks), tasks.map((task) => task.resourceId)],
  );
}

/** Writes tasks that a confirm has decided. Until then they were only in their lists. */
export async function insertTasks(tx: Transaction, tasks: readonly (Task & TaskMove)[]): Promise<void> {
  if (tasks.length === 0) return;
  await tx.query(
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                         reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at,
                         window_ends_at, next_check_at, was_outside)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[], $7::int[],
                          $8::text[], $9::bigint[], $10::bigint[], $11::int[], $12::boolean[], $13::timestamptz[],
                          $14::timestamptz[], $15::timestamptz[], $16::timestamptz[], $17::timestamptz[], $18::timestamptz[],
                          $19::boolean[])`,
    [
      ...keyColumns(tasks),
      tasks.map((task) => task.accountId),
      tasks.map((task) => task.resourceId),
      tasks.map((task) => task.round),
      tasks.map((task) => task.position),
      tasks.map((task) => task.state),
      tasks.map((task) => task.chargeKopecks),
      tasks.map((task) => task.rewardKopecks),
      tasks.map((task) => task.holdSeconds),
      tasks.map((task) => task.refund),
      tasks.map((task) => task.shownAt),
      tasks.map((task) => task.expiresAt),
      tasks.map((task) => task.confirmedAt),
      tasks.map((task) => task.releaseAt),
      tasks.map((task) => task.windowEndsAt),
      tasks.map((task) => task.nextCheckAt),
      tasks.map((task) => task.wasOutside),
    ],
  );
}

/** Where a task stands after a confirm, a settlement or a reversal. */
export interface TaskMove extends TaskKey {
  readonly state: TaskState;
  readonly confirmedAt: Date | null;
  readonly releaseAt: Date | null;
  readonly windowEndsAt: Date | null;
  readonly nextCheckAt: Date | null;
  /** When the reward became the publisher's for good; only a move to `settled` has it. */
  readonly settledAt?: Date;
}

export async function moveTasks(tx: Transaction, moves: readonly TaskMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.query(
    `UPDATE tasks o SET state = t.state, confirmed_at = t.confirmed_at, release_at = t.release_at,
       window_ends_at = t.window_ends_at, next_check_at = t.next_check_at, settled_at = t.settled_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                 $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
       AS t (user_id, bot_id, order_id, state, confirmed_at, release_at, window_ends_at, next_check_at, settled_at)
     WHERE o.user_id = t.user_id AND o.bot_id = t.bot_id AND o.order_id = t.order_id`,
    [
      ...keyColumns(moves),
      moves.map((move) => move.state),
      moves.map((move) => move.confirmedAt),
      moves.map((move) => move.releaseAt),
      moves.map((move) => move.windowEndsAt),
      moves.map((move) => move.nextCheckAt),
      moves.map((move) => move.settledAt ?? null),
    ],
  );
}
