import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { TaskState } from '../tasks/index.ts';

export interface BotTotals {
  readonly botId: number;
  readonly username: string;
  readonly isActive: boolean;
  /** Counted and not reversed. */
  readonly subscribers: number;
  readonly revenueKopecks: Kopecks;
}

export async function botTotals(db: Queryable, accountId: number): Promise<BotTotals[]> {
  const rows = await db.query<{
    id: bigint;
    username: string;
    is_active: boolean;
    subscribers: bigint;
    revenue: bigint;
  }>(
    `SELECT b.id, b.username, b.is_active, coalesce(sum(d.counted - d.reversed), 0)::bigint AS subscribers,
            coalesce(sum(d.reward_kopecks - d.reversed_reward_kopecks), 0)::bigint AS revenue
     FROM bots b LEFT JOIN daily_totals d ON d.bot_id = b.id
     WHERE b.account_id = $1 GROUP BY b.id ORDER BY b.id`,
    [accountId],
  );
  return rows.map((row) => ({
    botId: Number(row.id),
    username: row.username,
    isActive: row.is_active,
    subscribers: Number(row.subscribers),
    revenueKopecks: row.revenue,
  }));
}

export interface SubscriptionRecord {
  readonly userId: number;
  readonly orderId: number;
  readonly state: TaskState;
  readonly rewardKopecks: Kopecks;
  readonly confirmedAt: Date;
}

interface RecordRow {
  user_id: bigint;
  order_id: bigint;
  state: TaskState;
  reward_kopecks: bigint;
  confirmed_at: Date;
}

const toRecord = (row: RecordRow): SubscriptionRecord => ({
  userId: Number(row.user_id),
  orderId: Number(row.order_id),
  state: row.state,
  rewardKopecks: row.reward_kopecks,
  confirmedAt: row.confirmed_at,
});

export async function latestOfBot(db: Queryable, botId: number, limit: number): Promise<SubscriptionRecord[]> {
  const rows = await db.query<RecordRow>(
    `SELECT user_id, order_id, state, reward_kopecks, confirmed_at FROM tasks
     WHERE bot_id = $1 AND confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, order_id LIMIT $2`,
    [botId, limit],
  );
  return rows.map(toRecord);
}

export async function latestOfOrder(db: Queryable, orderId: number, limit: number): Promise<SubscriptionRecord[]> {
  const rows = await db.query<RecordRow>(
    `SELECT user_id, order_id, state, reward_kopecks, confirmed_at FROM tasks
     WHERE order_id = $1 AND confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, user_id LIMIT $2`,
    [orderId, limit],
  );
  return rows.map(toRecord);
}
