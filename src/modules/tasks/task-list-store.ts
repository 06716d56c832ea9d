import { latest } from '../../core/clock.ts';
import type { Queryable, Transaction } from '../../core/database.ts';
import type { Round, ShownTask } from './task.ts';
import { firstExpiry, type Pair, packTasks, pairKey, type TaskList, unpackShown, unpackTasks } from './task-list.ts';

/** What one read tells of a user in a bot. */
export interface KnownList extends Pair {
  readonly isBanned: boolean;
  readonly round: Round | undefined;
  /** The tasks as they are written, which also tells whether anybody has changed them since; none when there is no list. */
  readonly written: string | undefined;
  /** Another one whenever the list was written; none when there is no list. */
  readonly version: number | undefined;
  /** Orders that our bot can no longer check. */
  readonly lostOrders: readonly number[];
}

/** Whose list is asked for, and the version of it that somebody remembers. */
export interface ListQuestion extends Pair {
  readonly remembered: number | undefined;
}

interface KnownRow {
  index: number;
  is_banned: boolean;
  number: number | null;
  requested: number;
  ends_at: number;
  tasks: string;
  version: string;
  lost: bigint[] | null;
}

/**
 * The list of each pair and the user's ban, for many requests in one indexed read: most requests of all end here. Nothing
 * for a list that stands as it is remembered, while nothing else speaks against it.
 */
export async function readLists(db: Queryable, questions: readonly ListQuestion[]): Promise<(KnownList | undefined)[]> {
  const rows = await db.query<KnownRow>(
    `SELECT p.index::int, b.user_id IS NOT NULL AS is_banned, l.number, l.requested,
            date_part('epoch', l.ends_at) AS ends_at, l.tasks, l.xmin AS version, lost.ids AS lost
     FROM (SELECT array_agg(id) AS ids FROM orders WHERE pause_reason = 'access_lost') lost
     CROSS JOIN unnest($1::bigint[], $2::bigint[], $3::xid[]) WITH ORDINALITY AS p (user_id, bot_id, remembered, index)
     LEFT JOIN banned_users b ON b.user_id = p.user_id
     LEFT JOIN task_lists l ON l.user_id = p.user_id AND l.bot_id = p.bot_id
     WHERE (l.xmin = p.remembered) IS NOT TRUE OR b.user_id IS NOT NULL OR lost.ids IS NOT NULL`,
    [
      questions.map(({ userId }) => userId),
      questions.map(({ botId }) => botId),
      questions.map(({ remembered }) => remembered ?? null),
    ],
  );
  const lists = new Array<KnownList | undefined>(questions.length).fill(undefined);
  for (const row of rows) {
    const pair = questions[row.index - 1];
    if (pair !== undefined) lists[row.index - 1] = toKnownList(pair, row);
  }
  return lists;
}

const NONE: readonly number[] = [];

function toKnownList({ userId, botId }: Pair, row: KnownRow): KnownList {
  const { number, requested } = row;
  return {
    userId,
    botId,
    isBanned: row.is_banned,
    round: number ? { userId, botId, number, requested, endsAt: atEpoch(row.ends_at) } : undefined,
    written: number === null ? undefined : row.tasks,
    version: number === null ? undefined : Number(row.version),
    lostOrders: row.lost === null ? NONE : row.lost.map(Number),
  };
}

/** The tasks of a list. One that our bot can no longer check blocks nobody: the user could never get past it. */
export function tasksIn(list: KnownList): ShownTask[] {
  if (list.written === undefined) return [];
  const tasks = unpackShown(list, list.written);
  return list.lostOrders.length === 0 ? tasks : tasks.filter(({ orderId }) => !list.lostOrders.includes(orderId));
}

/** PostgreSQL keeps microseconds; as the driver does, what is finer than a millisecond is cut off. */
const atEpoch = (seconds: number): Date => new Date(Math.floor(seconds * 1000 + 1e-4));

/** What a user has done, so far as it decides which orders are for them in a bot. */
export interface History {
  /** Resources for which the user was ever counted, by whatever bot. */
  readonly countedResources: ReadonlySet<number>;
  /** Orders and resources whose tasks were done in this bot. A rejected task bars its order and not its resource. */
  readonly doneOrders: ReadonlySet<number>;
  readonly doneResources: ReadonlySet<number>;
}

/** For many pairs in one read, in the order asked for. */
export async function readHistories(db: Queryable, pairs: readonly Pair[]): Promise<History[]> {
  const rows = await db.query<{
    index: number;
    counted: (bigint | null)[] | null;
    orders: (bigint | null)[] | null;
    resources: (bigint | null)[] | null;
  }>(
    `SELECT p.index::int, (SELECT array_agg(c.resource_id) FROM counted_subscriptions c WHERE c.user_id = p.user_id) AS counted,
            t.orders, t.resources
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (user_id, bot_id, index)
     CROSS JOIN LATERAL (SELECT array_agg(o.order_id) AS orders,
                                array_agg(o.resource_id) FILTER (WHERE o.state <> 'rejected') AS resources FROM tasks o
                         WHERE o.user_id = p.user_id AND o.bot_id = p.bot_id) t`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId)],
  );
  const histories = new Array<History>(pairs.length);
  for (const { index, counted, orders, resources } of rows) {
    histories[index - 1] = {
      countedResources: numbers(counted),
      doneOrders: numbers(orders),
      doneResources: numbers(resources),
    };
  }
  return histories;
}

const numbers = (values: readonly (bigint | null)[] | null): Set<number> => new Set((values ?? []).map(Number));

/** A list under its lock: whoever holds it alone decides what its user is shown. */
export interface LockedList extends TaskList {
  readonly written: string;
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
  const pair = { userId: Number(row.user_id), botId: Number(row.bot_id) };
  const accountId = Number(row.account_id);
  const { number, requested, ends_at: endsAt } = row;
  const round: Round | undefined = number === 0 ? undefined : { ...pair, number, requested, endsAt };
  return { ...pair, accountId, round, tasks: unpackTasks(pair, accountId, row.tasks), written: row.tasks };
}

/** Locks the lists that these pairs have, always in the same order. */
export async function lockLists(tx: Transaction, pairs: readonly Pair[]): Promise<Map<string, LockedList>> {
  if (pairs.length === 0) return new Map();
  const rows = await tx.query<ListRow>(
    `SELECT ${LIST_COLUMNS} FROM task_lists l
     WHERE (l.user_id, l.bot_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))
     ORDER BY l.user_id, l.bot_id FOR UPDATE OF l`,
    [pairs.map(({ userId }) => userId), pairs.map(({ botId }) => botId)],
  );
  return new Map(rows.map((row) => [pairKey({ userId: Number(row.user_id), botId: Number(row.bot_id) }), toList(row)]));
}

/** Locks lists with tasks whose time is over, passing by those that somebody is just changing. */
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

/** Writes lists that the caller has locked. */
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

/** Writes lists of pairs that had none. Fails with a unique violation when somebody else was faster with one of them. */
export async function insertLists(tx: Transaction, lists: readonly TaskList[]): Promise<void> {
  if (lists.length === 0) return;
  await tx.query(
    `INSERT INTO task_lists (user_id, bot_id, account_id, number, requested, ends_at, tasks, expires_at)
     SELECT * FROM unnest(${LIST_ARRAYS}) AS t (user_id, bot_id) ORDER BY user_id, bot_id`,
    listColumns(lists),
  );
}

// The tasks come as one text with a list a line: as elements of an array each would have to be quoted and unquoted.
const LIST_ARRAYS = `$1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::timestamptz[],
  string_to_array($7::text, E'\\n'), $8::timestamptz[]`;

/** Before any round the row says number 0. It ends with its extra tasks, which are forgotten some time after that. */
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
