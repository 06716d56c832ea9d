import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

/** An advertiser whose orders paid rewards to a publisher. */
interface Counterparty {
  readonly accountId: number;
  readonly name: string;
  readonly subscriptions: number;
  readonly rewardKopecks: Kopecks;
  /** Whether both accounts seem to have the same owner. */
  readonly isConnected: boolean;
}

export interface Earnings {
  readonly counted: number;
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
  readonly advertisers: number;
  /** The advertisers who paid most, the largest first. */
  readonly counterparties: readonly Counterparty[];
}

/** Returns what an account's bots earned since a business day, and which advertisers paid it. */
export async function readEarnings(
  db: Queryable,
  { accountId, since, limit }: { accountId: number; since: string; limit: number },
): Promise<Earnings> {
  const rows = await db.query<{
    account_id: bigint;
    name: string;
    counted: bigint;
    reward: bigint;
    is_connected: boolean;
    all_counted: bigint;
    all_reversed: bigint;
    all_reward: bigint;
    advertisers: bigint;
  }>(
    `WITH paid AS (
       SELECT o.account_id, sum(d.counted)::bigint AS counted, sum(d.reversed)::bigint AS reversed,
              sum(d.reward_kopecks)::bigint AS reward
       FROM bots b
       JOIN daily_totals d ON d.bot_id = b.id AND d.day >= $2::date
       JOIN orders o ON o.id = d.order_id
       WHERE b.account_id = $1 GROUP BY o.account_id
     ), top AS (
       SELECT *, sum(counted) OVER ()::bigint AS all_counted, sum(reversed) OVER ()::bigint AS all_reversed,
              sum(reward) OVER ()::bigint AS all_reward, count(*) OVER () AS advertisers
       FROM paid ORDER BY reward DESC, account_id LIMIT $3
     )
     SELECT top.*, a.name,
            EXISTS (SELECT FROM connected_accounts c WHERE c.account_id = $1 AND c.other_id = top.account_id) AS is_connected
     FROM top JOIN accounts a ON a.id = top.account_id ORDER BY top.reward DESC, top.account_id`,
    [accountId, since, limit],
  );
  const [first] = rows;
  return {
    counted: Number(first?.all_counted ?? 0n),
    reversed: Number(first?.all_reversed ?? 0n),
    rewardKopecks: first?.all_reward ?? 0n,
    advertisers: Number(first?.advertisers ?? 0n),
    counterparties: rows.map((row) => ({
      accountId: Number(row.account_id),
      name: row.name,
      subscriptions: Number(row.counted),
      rewardKopecks: row.reward,
      isConnected: row.is_connected,
    })),
  };
}
