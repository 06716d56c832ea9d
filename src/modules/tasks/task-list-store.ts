import { latest } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import type { Round } from './task.ts';
import { firstExpiry, type ListKey, listKeyOf, packTasks, type TaskList, unpackTasks } from './task-list.ts';

/** A list whose row the transaction has locked. */
export interface LockedList extends TaskList {
  /** The tasks as the row stores them. */
  readonly packedTasks: string;
}

interface ListRow {
  user_id: bigint;
  bot_id: bigint;
  account_id: bigint;
  number: number;
  requested: number;
  ends_at: Date;
  tasks: string;
}

const LIST_COLUMNS = 'l.user_id, l.bot_id, l.account_id, l.number, l.requested, l.ends_at, l.tasks';

function toList(row: ListRow): LockedList {
  const key = { userId: Number(row.user_id), botId: Number(row.bot_id) };
  const accountId = Number(row.account_id);
  const { number, requested, ends_at: endsAt } = row;
  const round: Round | undefined = number === 0 ? undefined : { ...key, number, requested, endsAt };
  return { ...key, accountId, round, tasks: unpackTasks(key, accountId, row.tasks), packedTasks: row.tasks };
}

/** Locks the existing lists of these keys in key order. */
export async function lockLists(tx: Transaction, keys: readonly ListKey[]): Promise<Map<string, LockedList>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<ListRow>(
    `SELECT ${LIST_COLUMNS} FROM task_lists l
     WHERE (l.user_id, l.bot_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
     ORDER BY l.user_id, l.bot_id FOR UPDATE OF l`,
    [keys.map(({ userId }) => userId), keys.map(({ botId }) => botId)],
  );
  return new Map(rows.map(toList).map((list) => [listKeyOf(list), list]));
}

/** Locks lists with a lapsed reservation and skips those that another transaction has locked. */
export async function lockLapsedLists(tx: Transaction, now: Date, limit: number): Promise<LockedList[]> {
  const rows = await tx.query<ListRow>(
    `SELECT ${LIST_COLUMNS} FROM task_lists l
     WHERE l.expires_at <= $1
     ORDER BY l.user_id, l.bot_id LIMIT $2
     FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );
  return rows.map(toList);
}

/** Updates lists that the caller has locked. */
export async function saveLists(tx: Transaction, lists: readonly TaskList[]): Promise<void> {
  if (lists.length === 0) return;
  await tx.query(
    `UPDATE task_lists l SET account_id = t.account_id, number = t.number, requested = t.requested, ends_at = t.ends_at,
       tasks = t.tasks, expires_at = t.expires_at
     FROM unnest(${LIST_ARRAYS}) AS t (user_id, bot_id, account_id, number, requested, ends_at, tasks, expires_at)
     WHERE l.user_id = t.user_id AND l.bot_id = t.bot_id`,
    listColumns(lists),
  );
}

/** Inserts new lists. Throws a unique violation when another transaction has inserted one of them since. */
export async function insertLists(tx: Transaction, lists: readonly TaskList[]): Promise<void> {
  if (lists.length === 0) return;
  await tx.query(
    `INSERT INTO task_lists (user_id, bot_id, account_id, number, requested, ends_at, tasks, expires_at)
     SELECT * FROM unnest(${LIST_ARRAYS}) AS t (user_id, bot_id) ORDER BY user_id, bot_id`,
    listColumns(lists),
  );
}

// The packed tasks are one text with a line per list: array elements would have to be quoted and unquoted.
const LIST_ARRAYS = `$1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::timestamptz[],
  string_to_array($7::text, E'\\n'), $8::timestamptz[]`;

/** Before its first round a list has the number 0 and ends with its last extra task. */
const lastExpiry = ({ tasks }: TaskList): Date => latest([new Date(0), ...tasks.map((task) => task.expiresAt)]);

const listColumns = (lists: readonly TaskList[]): unknown[] => [
  lists.map((list) => list.userId),
  lists.map((list) => list.botId),
  lists.map((list) => list.accountId),
  lists.map((list) => list.round?.number ?? 0),
  lists.map((list) => list.round?.requested ?? 0),
  lists.map((list) => list.round?.endsAt ?? lastExpiry(list)),
  lists.map((list) => packTasks(list.tasks)).join('\n'),
  lists.map((list) => firstExpiry(list.tasks)),
];
