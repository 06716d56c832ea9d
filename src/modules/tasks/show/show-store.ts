import { latest } from '../../../core/clock.ts';
import type { Database, Queryable } from '../../../core/database.ts';
import { memberChatsOf, readUsers, type StoredUser } from '../../audience/index.ts';
import type { Round, ShownTask } from '../task.ts';
import { type ListKey, unpackShown } from '../task-list.ts';

export interface ShowQuery extends ListKey {
  readonly now: Date;
  /** The version of the list that the caller has cached. */
  readonly cachedVersion: number | undefined;
  /** Whether to read the user's record too. Only choosing new tasks needs it. */
  readonly withRecord: boolean;
  /** Whether to read the chats that the user is a member of. */
  readonly withMemberships?: boolean | undefined;
}

export interface ShowFacts {
  /** Undefined when the list still has the cached version. */
  readonly list: StoredList | undefined;
  /** Undefined when the query did not want it. */
  readonly record: UserRecord | undefined;
  /** The chats that the user is a member of by Telegram's updates. Empty when the query did not want them. */
  readonly memberOf: UserRecord['memberOf'];
}

/** A user's task list in a bot, as one read found it. */
export interface StoredList extends ListKey {
  readonly isBanned: boolean;
  /** Set for a suspicious user who has not passed the human check: whether the user was led to it before. */
  readonly humanCheck?: 'new' | 'requested' | undefined;
  readonly round: Round | undefined;
  /** The tasks as the row stores them; undefined without a row. An equal text means an unchanged list. */
  readonly packedTasks: string | undefined;
  /** Changes with every write of the row; undefined without a row. */
  readonly version: number | undefined;
  /** Orders whose chat our bot can no longer check. */
  readonly lostOrders: readonly number[];
}

/** The stored data that decides which orders a user may be shown in a bot. */
export interface UserRecord {
  readonly history: History;
  /** The chats that the user is a member of by Telegram's updates, with the first time the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
  readonly stored: StoredUser;
}

export interface History {
  /** Resources for which any bot has counted the user. */
  readonly countedResources: ReadonlySet<number>;
  /** Orders and resources whose tasks the user has done in this bot. A rejected task bars its order only. */
  readonly doneOrders: ReadonlySet<number>;
  readonly doneResources: ReadonlySet<number>;
}

const NO_CHATS: ReadonlyMap<number, Date> = new Map();

/**
 * Returns what get-sponsors reads, for many requests in one round trip. Users whose signals sum up to `checkStrength`
 * need the human check; null when the check is off.
 */
export async function readShowFacts(
  db: Database,
  queries: readonly ShowQuery[],
  checkStrength: number | null = null,
): Promise<ShowFacts[]> {
  const withRecord = queries.filter((query) => query.withRecord);
  const withMemberships = queries.filter((query) => query.withMemberships === true).map(({ userId }) => userId);
  // The lists come first: while a list keeps its version, the records read after it are not older than the list.
  const [lists, records, memberOf] = await db.reading((one) =>
    Promise.all([
      readLists(one, queries, checkStrength),
      withRecord.length === 0 ? [] : readRecords(one, withRecord),
      withMemberships.length === 0 ? undefined : memberChatsOf(one, withMemberships),
    ]),
  );
  const recordOf = new Map(withRecord.map((query, i) => [query, records[i]]));
  return queries.map((query, i) => ({
    list: lists[i],
    record: recordOf.get(query),
    memberOf: memberOf?.get(query.userId) ?? NO_CHATS,
  }));
}

interface StoredListRow {
  index: number;
  is_banned: boolean;
  number: number | null;
  requested: number;
  ends_at: number;
  tasks: string;
  version: string;
  lost: bigint[] | null;
  is_requested: boolean | null;
}

/** Skips a list that still has its cached version, unless the user is banned or an order has lost access. */
async function readLists(
  db: Queryable,
  queries: readonly ShowQuery[],
  checkStrength: number | null,
): Promise<(StoredList | undefined)[]> {
  const rows = await db.query<StoredListRow>(
    `SELECT p.index::int, b.user_id IS NOT NULL AS is_banned, l.number, l.requested,
            date_part('epoch', l.ends_at) AS ends_at, l.tasks, l.xmin AS version, lost.ids AS lost,
            CASE WHEN (SELECT sum(s.strength) FROM user_signals s WHERE s.user_id = p.user_id) >= $4::int THEN
              CASE WHEN NOT EXISTS (SELECT FROM human_checks h WHERE h.user_id = p.user_id) THEN
                EXISTS (SELECT FROM human_check_requests r WHERE r.user_id = p.user_id) END END AS is_requested
     FROM (SELECT array_agg(id) AS ids FROM orders WHERE pause_reason = 'access_lost') lost
     CROSS JOIN unnest($1::bigint[], $2::bigint[], $3::xid[]) WITH ORDINALITY AS p (user_id, bot_id, cached, index)
     LEFT JOIN banned_users b ON b.user_id = p.user_id
     LEFT JOIN task_lists l ON l.user_id = p.user_id AND l.bot_id = p.bot_id
     WHERE (l.xmin = p.cached) IS NOT TRUE OR b.user_id IS NOT NULL OR lost.ids IS NOT NULL`,
    [
      queries.map(({ userId }) => userId),
      queries.map(({ botId }) => botId),
      queries.map(({ cachedVersion }) => cachedVersion ?? null),
      checkStrength,
    ],
  );
  const lists = new Array<StoredList | undefined>(queries.length).fill(undefined);
  for (const row of rows) {
    const query = queries[row.index - 1];
    if (query !== undefined) lists[row.index - 1] = toStoredList(query, row);
  }
  return lists;
}

const NONE: readonly number[] = [];

function toStoredList({ userId, botId }: ListKey, row: StoredListRow): StoredList {
  const { number, requested } = row;
  return {
    userId,
    botId,
    isBanned: row.is_banned,
    round: number ? { userId, botId, number, requested, endsAt: fromEpoch(row.ends_at) } : undefined,
    packedTasks: number === null ? undefined : row.tasks,
    version: number === null ? undefined : Number(row.version),
    lostOrders: row.lost === null ? NONE : row.lost.map(Number),
    humanCheck: CHECK_STATE.get(row.is_requested),
  };
}

const CHECK_STATE: ReadonlyMap<boolean | null, StoredList['humanCheck']> = new Map([
  [false, 'new'],
  [true, 'requested'],
]);

/** Stores that a user was led to the human check. The first time stays, also of two requests that run side by side. */
export async function recordCheckRequest(db: Queryable, userId: number, at: Date): Promise<void> {
  await db.query(
    `INSERT INTO human_check_requests AS r (user_id, requested_at) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET requested_at = excluded.requested_at WHERE excluded.requested_at < r.requested_at`,
    [userId, at],
  );
}

/** Cuts PostgreSQL's microseconds to milliseconds, as the driver does. */
const fromEpoch = (seconds: number): Date => new Date(Math.floor(seconds * 1000 + 1e-4));

/** Returns the tasks of a list without those that our bot can no longer check: the user could never pass them. */
export function tasksIn(list: StoredList): ShownTask[] {
  if (list.packedTasks === undefined) return [];
  const tasks = unpackShown(list, list.packedTasks);
  return list.lostOrders.length === 0 ? tasks : tasks.filter(({ orderId }) => !list.lostOrders.includes(orderId));
}

const NO_HISTORY: History = { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() };

async function readRecords(db: Queryable, queries: readonly ShowQuery[]): Promise<UserRecord[]> {
  const userIds = queries.map(({ userId }) => userId);
  const [histories, memberOf, stored] = await Promise.all([
    readHistories(db, queries),
    memberChatsOf(db, userIds),
    readUsers(db, userIds, latest(queries.map(({ now }) => now))),
  ]);
  return queries.map(({ userId }, i) => ({
    history: histories[i] ?? NO_HISTORY,
    memberOf: memberOf.get(userId) ?? NO_CHATS,
    stored: stored[i] ?? { userId, firstSeenAt: undefined, learned: {} },
  }));
}

export async function readHistories(db: Queryable, keys: readonly ListKey[]): Promise<History[]> {
  const rows = await db.query<{
    index: number;
    counted: (bigint | null)[] | null;
    orders: (bigint | null)[] | null;
    resources: (bigint | null)[] | null;
  }>(
    `SELECT p.index::int, (SELECT array_agg(c.resource_id) FROM counted_subscriptions c WHERE c.user_id = p.user_id) AS counted,
            t.orders, t.resources
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS p (user_id, bot_id, index)
     CROSS JOIN LATERAL (SELECT array_agg(t.order_id) AS orders,
                                array_agg(t.resource_id) FILTER (WHERE t.state <> 'rejected') AS resources FROM tasks t
                         WHERE t.user_id = p.user_id AND t.bot_id = p.bot_id) t`,
    [keys.map(({ userId }) => userId), keys.map(({ botId }) => botId)],
  );
  const histories = new Array<History>(keys.length);
  for (const { index, counted, orders, resources } of rows) {
    histories[index - 1] = {
      countedResources: toNumbers(counted),
      doneOrders: toNumbers(orders),
      doneResources: toNumbers(resources),
    };
  }
  return histories;
}

const toNumbers = (values: readonly (bigint | null)[] | null): Set<number> => new Set((values ?? []).map(Number));

/** Returns the users who were counted for an order last, reversed subscriptions included. */
export async function readRecentSubscribers(db: Queryable, orderId: number, limit: number): Promise<number[]> {
  const rows = await db.query<{ user_id: bigint }>(
    `SELECT user_id FROM tasks
     WHERE order_id = $1 AND confirmed_at IS NOT NULL AND state <> 'notgetted'
     ORDER BY confirmed_at DESC LIMIT $2`,
    [orderId, limit],
  );
  return rows.map((row) => Number(row.user_id));
}
