import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { CaseReason } from './case.ts';
import { LAST_HOURS, type ResourceLook } from './rules.ts';

/** More suspects of one kind wait for the next run of the job. */
const MOST_SUSPECTS = 500;

/** The end of the last case about the same subject; earlier events were judged with it. */
const decidedBefore = (kind: string, type: string, subject: string): string =>
  `coalesce((SELECT max(k.decided_at) FROM cases k
             WHERE k.kind = '${kind}' AND k.subject_type = '${type}' AND k.subject_id = ${subject}), '-infinity')`;

const NOT_BANNED = 'EXISTS (SELECT FROM accounts a WHERE a.id = o.account_id AND a.banned_at IS NULL)';

export interface LowSource {
  readonly botId: number;
  readonly accountId: number;
  readonly score: number | null;
  readonly reasons: readonly CaseReason[];
}

/** Returns the bots of low quality. While scoring is off, the last scores are outdated and only operators' levels count. */
export async function listLowSources(db: Queryable, isScoring: boolean): Promise<LowSource[]> {
  return db.query<LowSource>(
    `SELECT q.bot_id::float8 AS "botId", o.account_id::float8 AS "accountId", q.score, q.reasons
     FROM bot_quality q JOIN bots o ON o.id = q.bot_id
     WHERE coalesce(q.override_level, CASE WHEN $2 THEN q.level END) = 'low' AND ${NOT_BANNED} ORDER BY q.bot_id LIMIT $1`,
    [MOST_SUSPECTS, isScoring],
  );
}

/** The subscriptions that one order paid to a bot of a connected account. */
export interface Dealing {
  readonly accountId: number;
  readonly advertiserId: number;
  readonly botId: number;
  readonly orderId: number;
  readonly subscriptions: number;
  readonly rewardKopecks: Kopecks;
}

export async function listDealings(db: Queryable, since: string, accountId?: number): Promise<Dealing[]> {
  return db.query<Dealing>(
    `SELECT b.account_id::float8 AS "accountId", o.account_id::float8 AS "advertiserId", d.bot_id::float8 AS "botId",
            d.order_id::float8 AS "orderId", sum(d.counted - d.reversed)::float8 AS subscriptions,
            sum(d.reward_kopecks - d.reversed_reward_kopecks)::bigint AS "rewardKopecks"
     FROM connected_accounts c
       JOIN bots b ON b.account_id = c.account_id
       JOIN accounts a ON a.id = b.account_id AND a.banned_at IS NULL
       JOIN daily_totals d ON d.bot_id = b.id AND d.day >= $1::date
       JOIN orders o ON o.id = d.order_id AND o.account_id = c.other_id
     WHERE d.day > business_day(${decidedBefore('self_dealing', 'account', 'b.account_id')})
       AND ($3::bigint IS NULL OR c.account_id = $3)
     GROUP BY b.account_id, o.account_id, d.bot_id, d.order_id HAVING sum(d.counted - d.reversed) > 0
     ORDER BY "rewardKopecks" DESC, d.bot_id, d.order_id LIMIT $2`,
    [since, MOST_SUSPECTS, accountId ?? null],
  );
}

interface SuspectOrder {
  readonly orderId: number;
  readonly accountId: number;
}

export interface RemovalFigures extends SuspectOrder {
  readonly removed: number;
  readonly counted: number;
}

/** Returns the orders from whose chats administrators removed counted users. */
export async function listRemovals(db: Queryable, since: Date): Promise<RemovalFigures[]> {
  return db.query<RemovalFigures>(
    `SELECT t.order_id::float8 AS "orderId", o.account_id::float8 AS "accountId", count(*)::float8 AS removed,
            p.confirmed_total AS counted
     FROM tasks t JOIN orders o ON o.id = t.order_id JOIN order_progress p ON p.order_id = o.id
     WHERE t.kept_because = 'removed' AND t.kept_at > $1
       AND t.kept_at > ${decidedBefore('removals', 'order', 't.order_id')} AND ${NOT_BANNED}
     GROUP BY t.order_id, o.account_id, p.confirmed_total ORDER BY removed DESC, t.order_id LIMIT $2`,
    [since, MOST_SUSPECTS],
  );
}

export interface AccessFigures extends SuspectOrder {
  readonly unsettled: number;
  readonly nearWindowEnd: number;
  readonly times: number;
}

/** Returns the orders whose chats our bot could no longer check while subscriptions were unsettled. */
export async function listLostAccess(db: Queryable, since: Date): Promise<AccessFigures[]> {
  return db.query<AccessFigures>(
    `SELECT t.order_id::float8 AS "orderId", o.account_id::float8 AS "accountId", count(*)::float8 AS unsettled,
            (count(*) FILTER (WHERE t.window_ends_at - t.kept_at <= make_interval(hours => $3)))::float8
              AS "nearWindowEnd",
            count(DISTINCT t.kept_at)::float8 AS times
     FROM tasks t JOIN orders o ON o.id = t.order_id
     WHERE t.kept_because = 'access_lost' AND t.kept_at > $1
       AND t.kept_at > ${decidedBefore('access_withdrawn', 'order', 't.order_id')} AND ${NOT_BANNED}
     GROUP BY t.order_id, o.account_id ORDER BY "nearWindowEnd" DESC, t.order_id LIMIT $2`,
    [since, MOST_SUSPECTS, LAST_HOURS],
  );
}

export interface ApprovalFigures extends SuspectOrder {
  readonly rejected: number;
  readonly approved: number;
}

/** Returns how often the advertiser's side rejected users, for the orders that only it can check. */
export async function listApprovals(db: Queryable, since: Date): Promise<ApprovalFigures[]> {
  return db.query<ApprovalFigures>(
    `SELECT o.id::float8 AS "orderId", o.account_id::float8 AS "accountId",
            (count(*) FILTER (WHERE t.state = 'rejected'))::float8 AS rejected,
            (count(*) FILTER (WHERE t.state IN ('held', 'paid', 'settled', 'reversed')))::float8 AS approved
     FROM orders o
       JOIN resources r ON r.id = o.resource_id AND r.type = 'bot' AND r.bot_token_encrypted IS NULL
       JOIN tasks t ON t.order_id = o.id AND t.confirmed_at > $1
     WHERE t.confirmed_at > ${decidedBefore('low_approval', 'order', 'o.id')} AND ${NOT_BANNED}
     GROUP BY o.id, o.account_id HAVING count(*) FILTER (WHERE t.state = 'rejected') > 0
     ORDER BY rejected DESC, o.id LIMIT $2`,
    [since, MOST_SUSPECTS],
  );
}

export interface ModeratedOrder extends SuspectOrder {
  readonly moderated: ResourceLook;
  readonly now: ResourceLook;
}

/** Returns the running orders that look different from what an operator approved. */
export async function listChangedOrders(db: Queryable): Promise<ModeratedOrder[]> {
  return db.query<ModeratedOrder>(
    `SELECT m.order_id::float8 AS "orderId", o.account_id::float8 AS "accountId",
            json_build_object('title', m.title, 'link', m.link, 'chatTitle', m.chat_title,
                              'chatUsername', m.chat_username) AS moderated,
            json_build_object('title', o.title, 'link', o.link, 'chatTitle', c.title, 'chatUsername', c.username) AS now
     FROM moderated_resources m
       JOIN orders o ON o.id = m.order_id AND o.status IN ('active', 'paused')
       LEFT JOIN resource_chats c ON c.resource_id = o.resource_id
     WHERE (o.title <> m.title OR o.link <> m.link OR c.title <> m.chat_title
            OR (c.title IS NOT NULL AND c.username IS DISTINCT FROM m.chat_username)) AND ${NOT_BANNED}
     ORDER BY m.order_id LIMIT $1`,
    [MOST_SUSPECTS],
  );
}

/** Stores the resource of an order as it is now: the operator has seen it. */
export async function saveModerated(db: Queryable, orderId: number, at: Date): Promise<void> {
  await db.query(
    `INSERT INTO moderated_resources (order_id, title, link, chat_title, chat_username, moderated_at)
     SELECT o.id, o.title, o.link, c.title, c.username, $2
     FROM orders o LEFT JOIN resource_chats c ON c.resource_id = o.resource_id WHERE o.id = $1
     ON CONFLICT (order_id) DO UPDATE SET title = excluded.title, link = excluded.link,
       chat_title = excluded.chat_title, chat_username = excluded.chat_username, moderated_at = excluded.moderated_at`,
    [orderId, at],
  );
}

/** Fills in chats that Telegram described only after the moderation. */
export async function completeModerated(db: Queryable): Promise<void> {
  await db.query(
    `UPDATE moderated_resources m SET chat_title = c.title, chat_username = c.username
     FROM orders o JOIN resource_chats c ON c.resource_id = o.resource_id AND c.title IS NOT NULL
     WHERE m.chat_title IS NULL AND o.id = m.order_id`,
  );
}

export interface UnjudgedPayout {
  readonly id: number;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly createdAt: Date;
  readonly isWaiting: boolean;
}

/**
 * Returns the payouts that wait, with those that their owner requested within a day before the newest of them, as far as no
 * case has judged them yet.
 */
export async function listUnjudgedPayouts(db: Queryable, accountId?: number): Promise<UnjudgedPayout[]> {
  return db.query<UnjudgedPayout>(
    `SELECT p.id::float8 AS id, p.account_id::float8 AS "accountId", p.amount_kopecks AS "amountKopecks",
            p.created_at AS "createdAt", p.status = 'requested' AS "isWaiting"
     FROM payouts p
       JOIN (SELECT account_id, max(created_at) AS newest FROM payouts
             WHERE status = 'requested' AND ($1::bigint IS NULL OR account_id = $1) GROUP BY account_id) w USING (account_id)
     WHERE (p.status = 'requested'
            OR (p.status IN ('approved', 'sending', 'sent') AND p.created_at > w.newest - interval '1 day'))
       AND NOT EXISTS (SELECT FROM cases k WHERE k.kind = 'large_payout' AND k.account_id = p.account_id
                         AND k.decided_at IS NOT NULL AND k.evidence->'payout_ids' @> to_jsonb(p.id))
     ORDER BY p.account_id, p.id LIMIT $2`,
    [accountId ?? null, MOST_PAYOUTS],
  );
}

/** Many small ones may together be large. */
const MOST_PAYOUTS = 10_000;
