import { latest } from '../../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../../core/database.ts';
import { confirmableUntil, type Task, type TaskKey, type TaskState } from '../task.ts';
import { type ListKey, unpackShown, unpackTask } from '../task-list.ts';
import { columnsOf, keyColumns, TASK_COLUMNS, type TaskRow, toTask } from '../task-rows.ts';
import { type ConfirmTerms, isShownAfter, type UserUse } from './confirm-rules.ts';
import { beyondDevice, deviceLimit, recentCounts, recentSince } from './user-limits-store.ts';

export interface ConfirmKey extends TaskKey {
  readonly chatId: number;
  readonly now: Date;
}

export interface ConfirmFacts {
  readonly task: ConfirmableTask | undefined;
  readonly isBanned: boolean;
  /** The first time the user was seen as a member of the task's chat. */
  readonly firstMemberAt: Date | null;
  /** The latest join that an update reported. */
  readonly joinedAt: Date | null;
  /** Whether the last update reported the user as a member. */
  readonly isMemberByUpdate: boolean;
  /** What the user has used of the limits; undefined for a decided task. */
  readonly use: UserUse | undefined;
  /** Whether the user was led to the human check before the task was shown, and has not passed it. */
  readonly awaitsCheck: boolean;
}

interface ConfirmableTask extends ConfirmTerms, Pick<Task, 'shownAt' | 'wasOutside'> {
  /** Null once a confirm has decided the task. */
  readonly confirmUntil: Date | null;
}

interface ConfirmFactsRow {
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
  last_hour: number;
  last_day: number;
  is_beyond_device: boolean;
  /** Only while the user is suspicious and has not passed the check. */
  check_requested_at: Date | null;
}

/**
 * Selects whether the user of the request `r` is still suspicious and has not passed the human check. Few users have a
 * request, so the others cost no look at the signals.
 */
const awaitsCheck = (strength: string): string =>
  `CASE WHEN r.user_id IS NOT NULL THEN
     NOT EXISTS (SELECT FROM human_checks h WHERE h.user_id = r.user_id)
     AND (SELECT sum(s.strength) FROM user_signals s WHERE s.user_id = r.user_id) >= ${strength} END`;

/**
 * Returns what confirms need before their membership checks, for many confirms in one query. `checkStrength` as for
 * `readShowFacts`.
 */
export async function readConfirmFacts(
  db: Queryable,
  keys: readonly ConfirmKey[],
  usersPerDevice: number,
  checkStrength: number | null = null,
): Promise<ConfirmFacts[]> {
  const rows = await db.query<ConfirmFactsRow>(
    `SELECT k.index::int, b.user_id IS NOT NULL AS is_banned, m.first_member_at, m.joined_at,
            coalesce(m.is_member AND m.source = 'update', false) AS is_member_by_update,
            t.state, t.reward_kopecks, t.hold_seconds, t.shown_at, t.was_outside,
            CASE WHEN t.user_id IS NULL THEN l.tasks END AS tasks, l.number, l.ends_at,
            c.last_hour, c.last_day, t.user_id IS NULL AND ${beyondDevice('k.user_id', '$7')} AS is_beyond_device,
            CASE WHEN ${awaitsCheck('$8::int')} THEN r.requested_at END AS check_requested_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
       AS k (user_id, bot_id, order_id, chat_id, index)
     LEFT JOIN banned_users b ON b.user_id = k.user_id
     LEFT JOIN memberships m ON m.user_id = k.user_id AND m.chat_id = k.chat_id
     LEFT JOIN tasks t ON t.user_id = k.user_id AND t.bot_id = k.bot_id AND t.order_id = k.order_id
     LEFT JOIN task_lists l ON l.user_id = k.user_id AND l.bot_id = k.bot_id
     LEFT JOIN human_check_requests r ON r.user_id = k.user_id
     CROSS JOIN LATERAL (${recentCounts('k.user_id', '$5', '$6')} AND t.user_id IS NULL) c`,
    [
      ...keyColumns(keys),
      keys.map((key) => key.chatId),
      ...recentSince(latest(keys.map((key) => key.now))),
      deviceLimit(usersPerDevice),
      checkStrength,
    ],
  );
  const facts = new Array<ConfirmFacts>(keys.length);
  for (const row of rows) {
    const key = keys[row.index - 1];
    if (key === undefined) continue;
    const task = taskIn(key, row);
    facts[row.index - 1] = {
      task,
      isBanned: row.is_banned,
      firstMemberAt: row.first_member_at,
      joinedAt: row.joined_at,
      isMemberByUpdate: row.is_member_by_update,
      use: toUse(row),
      awaitsCheck: task !== undefined && isShownAfter(row.check_requested_at ?? undefined, task),
    };
  }
  return facts;
}

/** Returns undefined for a decided task, of which the limits are not read. */
function toUse(row: ConfirmFactsRow): UserUse | undefined {
  if (row.state !== null) return undefined;
  return { lastHour: row.last_hour, lastDay: row.last_day, isBeyondDevice: row.is_beyond_device };
}

/** A decided task has its own row; an undecided one is in the list. */
function taskIn(key: ConfirmKey, row: ConfirmFactsRow): ConfirmableTask | undefined {
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

/** Returns which of these users were led to the human check, and when, and have not passed it. */
export async function findAwaitingCheck(
  db: Queryable,
  userIds: readonly number[],
  checkStrength: number,
): Promise<Map<number, Date>> {
  const rows = await db.query<{ user_id: bigint; requested_at: Date }>(
    `SELECT r.user_id, r.requested_at FROM human_check_requests r
     WHERE r.user_id = ANY($1::bigint[]) AND ${awaitsCheck('$2::int')}`,
    [userIds, checkStrength],
  );
  return new Map(rows.map((row) => [Number(row.user_id), row.requested_at]));
}

/** Locks the decided tasks among these in key order and returns them. */
export async function lockTasks(tx: Transaction, keys: readonly TaskKey[]): Promise<Task[]> {
  const rows = await tx.query<TaskRow>(`${SELECT_TASKS} FOR UPDATE OF t`, keyColumns(keys));
  return rows.map(toTask);
}

/** Returns the decided tasks among these. */
export async function findTasks(db: Queryable, keys: readonly TaskKey[]): Promise<Task[]> {
  return (await db.query<TaskRow>(SELECT_TASKS, keyColumns(keys))).map(toTask);
}

const SELECT_TASKS = `
  SELECT ${TASK_COLUMNS}
  FROM tasks t
  JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id) USING (user_id, bot_id, order_id)
  ORDER BY t.user_id, t.bot_id, t.order_id`;

/** The decided tasks of a user in a bot that `readTaskStates` returns at most. */
const MOST_DECIDED = 1_000;

/** Returns the states of a user's tasks in a bot by order id, undecided ones first, then the latest decided ones. */
export async function readTaskStates(db: Database, key: ListKey): Promise<Map<number, TaskState>> {
  const params = [key.userId, key.botId];
  const [lists, rows] = await db.reading((one) =>
    Promise.all([
      one.query<{ tasks: string }>('SELECT tasks FROM task_lists WHERE user_id = $1 AND bot_id = $2', params),
      one.query<{ order_id: bigint; state: TaskState }>(
        `SELECT order_id, state FROM tasks WHERE user_id = $1 AND bot_id = $2
         ORDER BY confirmed_at DESC LIMIT $3`,
        [...params, MOST_DECIDED],
      ),
    ]),
  );
  const listed = lists.flatMap(({ tasks }) => unpackShown(key, tasks)).map(({ orderId, state }) => [orderId, state]);
  return new Map([...listed, ...rows.map((row) => [Number(row.order_id), row.state])] as [number, TaskState][]);
}

/** Counts each (user, resource) once for ever. Returns the pairs that nothing had counted before. */
export async function insertSubscriptions(
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
    [...columnsOf(tasks, 'userId', 'resourceId', 'botId', 'orderId'), now],
  );
  return rows.map((row) => ({ userId: Number(row.user_id), resourceId: Number(row.resource_id) }));
}

/** Allows the users of these tasks to be counted for the resources again, by this order or another. */
export async function deleteSubscriptions(tx: Transaction, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  await tx.query(
    `DELETE FROM counted_subscriptions c
     USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS t (user_id, bot_id, order_id, resource_id)
     WHERE c.user_id = t.user_id AND c.resource_id = t.resource_id AND c.bot_id = t.bot_id AND c.order_id = t.order_id`,
    [...keyColumns(tasks), tasks.map((task) => task.resourceId)],
  );
}

/** Inserts tasks that a confirm has decided. Until then they were only in their lists. */
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
      ...columnsOf(tasks, 'userId', 'botId', 'orderId', 'accountId', 'resourceId', 'round', 'position', 'state'),
      ...columnsOf(tasks, 'chargeKopecks', 'rewardKopecks', 'holdSeconds', 'refund', 'shownAt', 'expiresAt'),
      ...columnsOf(tasks, 'confirmedAt', 'releaseAt', 'windowEndsAt', 'nextCheckAt', 'wasOutside'),
    ],
  );
}

/** The new state of a task after a confirm, a settlement or a reversal. */
export interface TaskMove extends TaskKey {
  readonly state: TaskState;
  readonly confirmedAt: Date | null;
  readonly releaseAt: Date | null;
  readonly windowEndsAt: Date | null;
  readonly nextCheckAt: Date | null;
  /** Only a move to `settled` has it. */
  readonly settledAt?: Date;
}

export async function moveTasks(tx: Transaction, moves: readonly TaskMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.query(
    `UPDATE tasks t SET state = m.state, confirmed_at = m.confirmed_at, release_at = m.release_at,
       window_ends_at = m.window_ends_at, next_check_at = m.next_check_at, settled_at = m.settled_at
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                 $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
       AS m (user_id, bot_id, order_id, state, confirmed_at, release_at, window_ends_at, next_check_at, settled_at)
     WHERE t.user_id = m.user_id AND t.bot_id = m.bot_id AND t.order_id = m.order_id`,
    [
      ...columnsOf(
        moves,
        'userId',
        'botId',
        'orderId',
        'state',
        'confirmedAt',
        'releaseAt',
        'windowEndsAt',
        'nextCheckAt',
      ),
      moves.map((move) => move.settledAt ?? null),
    ],
  );
}
