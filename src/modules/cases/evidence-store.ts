import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type CaseExample, type CaseSubject, MOST_EXAMPLES } from './case.ts';

type ExampleRow = Omit<CaseExample, 'at'> & { readonly at: Date };

const toExample = (row: ExampleRow): CaseExample => ({ ...row, at: row.at.toISOString() });

/** Returns the newest subscriptions of a bot; those of the most suspicious users first. */
export async function readBotExamples(db: Queryable, botId: number, since: Date): Promise<CaseExample[]> {
  const rows = await db.query<ExampleRow>(
    `WITH latest AS (
       SELECT confirmed_at AS at, user_id, bot_id, order_id, reward_kopecks, state FROM tasks
       WHERE bot_id = $1 AND confirmed_at > $2 AND state IN ('held', 'paid', 'settled', 'reversed')
       ORDER BY confirmed_at DESC LIMIT 1000
     )
     SELECT l.at, l.user_id::float8 AS user_id, l.bot_id::float8 AS bot_id, l.order_id::float8 AS order_id,
            l.reward_kopecks::float8 AS kopecks, concat_ws(', ', l.state, s.signals) AS note
     FROM latest l LEFT JOIN LATERAL (
       SELECT string_agg(signal, ', ' ORDER BY strength DESC) AS signals, sum(strength) AS strength
       FROM user_signals u WHERE u.user_id = l.user_id) s ON true
     ORDER BY coalesce(s.strength, 0) DESC, l.at DESC LIMIT $3`,
    [botId, since, MOST_EXAMPLES],
  );
  return rows.map(toExample);
}

/** Returns the newest tasks of orders, of one or more bots, that fulfil a condition. */
export async function readTaskExamples(
  db: Queryable,
  {
    orderIds,
    botIds,
    only,
    since,
  }: { orderIds: readonly number[]; botIds?: readonly number[]; only: TaskFilter; since: Date },
): Promise<CaseExample[]> {
  const rows = await db.query<ExampleRow>(
    `SELECT coalesce(kept_at, confirmed_at) AS at, user_id::float8 AS user_id, bot_id::float8 AS bot_id,
            order_id::float8 AS order_id, reward_kopecks::float8 AS kopecks, state AS note
     FROM tasks
     WHERE order_id = ANY($1::bigint[]) AND confirmed_at > $2 AND ($3::bigint[] IS NULL OR bot_id = ANY($3::bigint[]))
       AND ${TASK_FILTERS[only]}
     ORDER BY confirmed_at DESC LIMIT $4`,
    [orderIds, since, botIds ?? null, MOST_EXAMPLES],
  );
  return rows.map(toExample);
}

const TASK_FILTERS = {
  counted: "state IN ('held', 'paid', 'settled', 'reversed')",
  removed: "kept_because = 'removed'",
  access_lost: "kept_because = 'access_lost'",
  rejected: "state = 'rejected'",
} as const;
export type TaskFilter = keyof typeof TASK_FILTERS;

export interface BotTotals {
  readonly counted: number;
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
}

export async function readBotTotals(db: Queryable, botId: number, since: string): Promise<BotTotals> {
  const [row] = await db.query<BotTotals>(
    `SELECT coalesce(sum(counted), 0)::float8 AS counted, coalesce(sum(reversed), 0)::float8 AS reversed,
            coalesce(sum(reward_kopecks - reversed_reward_kopecks), 0)::bigint AS "rewardKopecks"
     FROM daily_totals WHERE bot_id = $1 AND day >= $2::date`,
    [botId, since],
  );
  return row ?? { counted: 0, reversed: 0, rewardKopecks: 0n };
}

/** One thing that two nodes share, with the text that names it. */
export interface SharedThing {
  readonly kind: 'channel' | 'payout' | 'bot' | 'device';
  readonly key: string;
  readonly label: string;
  /** The accounts, or for a device of users the users. */
  readonly ids: readonly number[];
}

const MOST_THINGS = 12;

/** Returns what connects an account with others: the same rules as the view connected_accounts. */
export async function listSharedThings(db: Queryable, accountIds: readonly number[]): Promise<SharedThing[]> {
  return db.query<SharedThing>(
    `SELECT 'channel' AS kind, o.resource_id::text AS key, coalesce(max(c.title), max(o.title)) AS label,
            array_agg(DISTINCT o.account_id)::float8[] AS ids
     FROM orders o LEFT JOIN resource_chats c ON c.resource_id = o.resource_id
     WHERE o.account_id = ANY($1::bigint[]) GROUP BY o.resource_id HAVING count(DISTINCT o.account_id) > 1
     UNION ALL
     SELECT 'payout', destination_key, max(destination), array_agg(DISTINCT account_id)::float8[] FROM payouts
     WHERE account_id = ANY($1::bigint[]) AND destination_key IS NOT NULL
     GROUP BY method, destination_key HAVING count(DISTINCT account_id) > 1
     UNION ALL
     SELECT 'bot', b.id::text, '@' || b.username, (array_agg(DISTINCT o.account_id) || b.account_id)::float8[]
     FROM orders o
       JOIN bots b ON lower(b.username) =
         split_part(split_part(split_part(split_part(lower(o.link), '?', 1), '#', 1), '.me/', 2), '/', 1)
     WHERE o.account_id = ANY($1::bigint[]) AND b.account_id = ANY($1::bigint[]) AND o.account_id <> b.account_id
     GROUP BY b.id
     UNION ALL
     SELECT 'device', encode(d.mark, 'hex'), '', array_agg(DISTINCT a.id)::float8[] FROM device_marks d
       JOIN accounts a ON a.telegram_user_id = d.user_id
     WHERE d.kind = 'device' AND a.id = ANY($1::bigint[]) GROUP BY d.mark HAVING count(DISTINCT a.id) > 1
     LIMIT $2`,
    [accountIds, MOST_THINGS],
  );
}

const MOST_DEVICES = 6;
const MOST_USERS_SHOWN = 5;

/** Returns the devices that several users of a bot share, and the channels that those users joined. */
export async function listSharedByUsers(db: Queryable, botId: number, since: Date): Promise<SharedThing[]> {
  const devices = await db.query<SharedThing>(
    `WITH users AS (
       SELECT DISTINCT user_id FROM (
         SELECT user_id FROM tasks
         WHERE bot_id = $1 AND confirmed_at > $2 AND state IN ('held', 'paid', 'settled', 'reversed')
         ORDER BY confirmed_at DESC LIMIT 2000) latest
     )
     SELECT 'device' AS kind, encode(d.mark, 'hex') AS key, count(*)::text AS label,
            (array_agg(d.user_id ORDER BY d.user_id))[1:$4]::float8[] AS ids
     FROM device_marks d JOIN users USING (user_id) WHERE d.kind = 'device'
     GROUP BY d.mark HAVING count(*) > 1 ORDER BY count(*) DESC, d.mark LIMIT $3`,
    [botId, since, MOST_DEVICES, MOST_USERS_SHOWN],
  );
  const userIds = [...new Set(devices.flatMap(({ ids }) => ids))];
  if (userIds.length === 0) return [];
  const channels = await db.query<SharedThing>(
    `SELECT 'channel' AS kind, t.resource_id::text AS key, coalesce(max(c.title), max(o.title)) AS label,
            array_agg(DISTINCT t.user_id)::float8[] AS ids
     FROM tasks t JOIN orders o ON o.id = t.order_id LEFT JOIN resource_chats c ON c.resource_id = t.resource_id
     WHERE t.user_id = ANY($1::bigint[]) AND t.bot_id = $2 AND t.state IN ('held', 'paid', 'settled', 'reversed')
     GROUP BY t.resource_id HAVING count(DISTINCT t.user_id) > 1
     ORDER BY count(DISTINCT t.user_id) DESC, t.resource_id LIMIT $3`,
    [userIds, botId, MOST_DEVICES],
  );
  return [...devices, ...channels];
}

export interface Money {
  /** Rewards of the period, minus reversals. */
  readonly earnedKopecks: Kopecks;
  /** In hold, in the balance and in waiting payouts of the account. */
  readonly presentKopecks: Kopecks;
  /** What an order has spent and can still get back. */
  readonly refundableKopecks: Kopecks;
}

/** Reads the money of a subject for the risk of its case. */
export async function readMoney(
  db: Queryable,
  { subject, accountId, since }: { subject: CaseSubject; accountId: number; since: string },
): Promise<Money> {
  const [row] = await db.query<Money>(
    `SELECT coalesce((SELECT sum(d.reward_kopecks - d.reversed_reward_kopecks)::bigint
                      FROM bots b JOIN daily_totals d ON d.bot_id = b.id AND d.day >= $4::date
                      WHERE b.account_id = $3 AND ($1 = 'account' OR b.id = $2)), 0)::bigint AS "earnedKopecks",
            (coalesce((SELECT sum(balance_kopecks) FROM ledger_accounts
                       WHERE kind IN ('hold', 'available') AND owner_id = $3), 0)
             + coalesce((SELECT sum(amount_kopecks) FROM payouts
                         WHERE account_id = $3 AND status IN ('requested', 'approved')), 0)
            )::bigint AS "presentKopecks",
            coalesce((SELECT p.unsettled_count * o.charge_kopecks FROM orders o JOIN order_progress p ON p.order_id = o.id
                      WHERE $1 = 'order' AND o.id = $2), 0)::bigint AS "refundableKopecks"`,
    [subject.type, subject.id, accountId, since],
  );
  return row ?? { earnedKopecks: 0n, presentKopecks: 0n, refundableKopecks: 0n };
}

/** Returns names for the nodes of a graph. */
export async function nameAccounts(db: Queryable, accountIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ id: bigint; name: string }>(
    'SELECT id, name FROM accounts WHERE id = ANY($1::bigint[])',
    [accountIds],
  );
  return new Map(rows.map((row) => [Number(row.id), row.name]));
}
