import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { PayoutStatus } from '../payouts/index.ts';
import type { TaskState } from '../tasks/index.ts';
import type { DaysScope } from './days-store.ts';

export interface BotTotals {
  readonly botId: number;
  readonly username: string;
  readonly isActive: boolean;
  /** Counted and not reversed. */
  readonly subscribers: number;
  readonly revenueKopecks: Kopecks;
}

export async function botTotals(db: Queryable, accountId: number): Promise<BotTotals[]> {
  return db.query<BotTotals>(
    `SELECT b.id::float8 AS "botId", b.username, b.is_active AS "isActive",
            coalesce(sum(d.counted - d.reversed), 0)::float8 AS subscribers,
            coalesce(sum(d.reward_kopecks - d.reversed_reward_kopecks), 0)::bigint AS "revenueKopecks"
     FROM bots b LEFT JOIN daily_totals d ON d.bot_id = b.id
     WHERE b.account_id = $1 GROUP BY b.id ORDER BY b.id`,
    [accountId],
  );
}

/** How many items of an owner need attention or are under way. */
export interface OpenItems {
  /** Orders that the service paused: the owner must fix the cause. */
  readonly orders: number;
  /** Open payout requests. */
  readonly payouts: number;
  /** Webhook endpoints that fail or are disabled. */
  readonly webhooks: number;
}

export async function countOpenItems(db: Queryable, accountId: number): Promise<OpenItems> {
  const [row] = await db.query<OpenItems>(
    `SELECT (SELECT count(*)::float8 FROM orders WHERE account_id = $1 AND pause_reason <> 'owner') AS orders,
            (SELECT count(*)::float8 FROM payouts
             WHERE account_id = $1 AND status IN ('requested', 'approved', 'sending')) AS payouts,
            (SELECT count(*)::float8 FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL
               AND (NOT is_enabled OR failing_since IS NOT NULL)) AS webhooks`,
    [accountId],
  );
  return row ?? { orders: 0, payouts: 0, webhooks: 0 };
}

export interface SubscriptionRecord {
  readonly userId: number;
  readonly orderId: number;
  readonly state: TaskState;
  readonly rewardKopecks: Kopecks;
  readonly confirmedAt: Date;
}

const RECORD_COLUMNS = `t.user_id::float8 AS "userId", t.order_id::float8 AS "orderId", t.state,
  t.reward_kopecks AS "rewardKopecks", t.confirmed_at AS "confirmedAt"`;

/** A subscription of one day, for its publisher or its advertiser. */
export interface DaySubscription extends SubscriptionRecord {
  readonly botId: number;
  readonly botUsername: string;
  readonly orderName: string;
  readonly chargeKopecks: Kopecks;
}

const DAY_SCOPES: Readonly<Record<DaysScope, string>> = {
  bot: 't.bot_id = $1',
  publisher: 't.bot_id IN (SELECT id FROM bots WHERE account_id = $1)',
  order: 't.order_id = $1',
  advertiser: 't.order_id IN (SELECT id FROM orders WHERE account_id = $1)',
};

/** Returns the subscriptions that were confirmed on a business day, newest first. The caller has checked the owner. */
export async function listDaySubscriptions(
  db: Queryable,
  { scope, id, day, skip, limit }: { scope: DaysScope; id: number; day: string; skip: number; limit: number },
): Promise<DaySubscription[]> {
  return db.query<DaySubscription>(
    `SELECT ${RECORD_COLUMNS}, t.bot_id::float8 AS "botId", b.username AS "botUsername", o.title AS "orderName",
            t.charge_kopecks AS "chargeKopecks"
     FROM tasks t JOIN bots b ON b.id = t.bot_id JOIN orders o ON o.id = t.order_id
     WHERE ${DAY_SCOPES[scope]} AND t.state <> 'notgetted' AND t.confirmed_at IS NOT NULL
       AND t.confirmed_at >= $2::date::timestamp AT TIME ZONE 'Europe/Moscow'
       AND t.confirmed_at < ($2::date + 1)::timestamp AT TIME ZONE 'Europe/Moscow'
     ORDER BY t.confirmed_at DESC, t.user_id LIMIT $3 OFFSET $4`,
    [id, day, limit, skip],
  );
}

export async function latestOfBot(db: Queryable, botId: number, limit: number): Promise<SubscriptionRecord[]> {
  return db.query<SubscriptionRecord>(
    `SELECT ${RECORD_COLUMNS} FROM tasks t
     WHERE bot_id = $1 AND confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, order_id LIMIT $2`,
    [botId, limit],
  );
}

export async function latestOfOrder(db: Queryable, orderId: number, limit: number): Promise<SubscriptionRecord[]> {
  return db.query<SubscriptionRecord>(
    `SELECT ${RECORD_COLUMNS} FROM tasks t
     WHERE order_id = $1 AND confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, user_id LIMIT $2`,
    [orderId, limit],
  );
}

export interface Undertakings {
  readonly activeBots: number;
  readonly activeOrders: number;
  readonly openPayouts: number;
  readonly openPayoutsKopecks: Kopecks;
}

/** The open items of an account. */
export async function readUndertakings(
  db: Queryable,
  accountId: number,
  openStatuses: readonly PayoutStatus[],
): Promise<Undertakings> {
  const [row] = await db.query<Undertakings>(
    `SELECT (SELECT count(*)::float8 FROM bots WHERE account_id = $1 AND is_active) AS "activeBots",
            (SELECT count(*)::float8 FROM orders WHERE account_id = $1 AND status = 'active') AS "activeOrders",
            count(*)::float8 AS "openPayouts", coalesce(sum(amount_kopecks), 0)::bigint AS "openPayoutsKopecks"
     FROM payouts WHERE account_id = $1 AND status = ANY($2::text[])`,
    [accountId, openStatuses],
  );
  return row ?? { activeBots: 0, activeOrders: 0, openPayouts: 0, openPayoutsKopecks: 0n };
}

export interface ReleaseGroup {
  readonly releaseAt: Date;
  readonly untilAt: Date;
  readonly amountKopecks: Kopecks;
  readonly count: number;
}

/** The Moscow hour or day whose releases form a group. */
export type ReleaseUnit = 'hour' | 'day';

export interface HoldAhead {
  readonly holdKopecks: Kopecks;
  /** How many rewards in hold were read. At the limit there may be more. */
  readonly read: number;
  readonly groups: readonly ReleaseGroup[];
}

/**
 * Returns the next releases of an account and one more group. Reads them with the balance in one query, so that both
 * agree.
 */
export async function readReleases(
  db: Queryable,
  {
    accountId,
    now,
    groups,
    sample,
    unit = null,
  }: { accountId: number; now: Date; groups: number; sample: number; unit?: ReleaseUnit | null | undefined },
): Promise<HoldAhead> {
  const rows = await db.query<Omit<HoldAhead, 'groups'> & Omit<ReleaseGroup, 'releaseAt'> & { releaseAt: Date | null }>(
    RELEASES_SQL,
    [accountId, now, sample, groups, unit],
  );
  return {
    holdKopecks: rows[0]?.holdKopecks ?? 0n,
    read: rows[0]?.read ?? 0,
    groups: rows.flatMap(({ releaseAt, untilAt, amountKopecks, count }) =>
      releaseAt === null ? [] : { releaseAt, untilAt, amountKopecks, count },
    ),
  };
}

// An overdue release is due now. Without a unit, few times stay as they are and many become hours.
const RELEASES_SQL = `
  WITH held AS MATERIALIZED (
    SELECT greatest(release_at, $2::timestamptz) AS at, reward_kopecks FROM tasks
    WHERE account_id = $1 AND state = 'held' ORDER BY release_at LIMIT $3
  ), times AS MATERIALIZED (
    SELECT at, sum(reward_kopecks) AS amount, count(*) AS count FROM held GROUP BY at
  ), few AS (
    SELECT count(*) <= $4 AS is_few FROM times
  ), next AS (
    SELECT min(at) AS "releaseAt", max(at) AS "untilAt", sum(amount)::bigint AS "amountKopecks",
           sum(count)::float8 AS count
    FROM times, few
    GROUP BY CASE WHEN is_few AND $5::text IS NULL THEN at
                  ELSE date_trunc(coalesce($5::text, 'hour'), at, 'Europe/Moscow') END
    ORDER BY 1 LIMIT $4 + 1
  )
  SELECT coalesce((SELECT balance_kopecks FROM ledger_accounts WHERE kind = 'hold' AND owner_id = $1), 0)
           AS "holdKopecks", (SELECT count(*)::float8 FROM held) AS read, next.*
  FROM (VALUES (1)) AS one LEFT JOIN next ON true
  ORDER BY "releaseAt"`;
