import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

/** Selects one bot, all bots of an account, one order, or all orders of an account. */
export type DaysScope = 'bot' | 'publisher' | 'order' | 'advertiser';

export interface DayTotals {
  readonly day: string;
  readonly counted: number;
  readonly reversed: number;
  readonly rewardKopecks: Kopecks;
  readonly reversedRewardKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
  readonly returnedChargeKopecks: Kopecks;
}

const SCOPES: Readonly<Record<DaysScope, string>> = {
  bot: 'bot_id = $1',
  publisher: 'bot_id IN (SELECT id FROM bots WHERE account_id = $1)',
  order: 'order_id = $1',
  advertiser: 'order_id IN (SELECT id FROM orders WHERE account_id = $1)',
};

/** Returns the days of the period that have totals, unsorted. */
export async function readDays(
  db: Queryable,
  { scope, id, first, last }: { scope: DaysScope; id: number; first: string; last: string },
): Promise<DayTotals[]> {
  const rows = await db.query<{
    day: string;
    counted: bigint;
    reversed: bigint;
    reward: bigint;
    reversed_reward: bigint;
    charge: bigint;
    returned_charge: bigint;
  }>(
    `SELECT day, sum(counted)::bigint AS counted, sum(reversed)::bigint AS reversed,
            sum(reward_kopecks)::bigint AS reward, sum(reversed_reward_kopecks)::bigint AS reversed_reward,
            sum(charge_kopecks)::bigint AS charge, sum(returned_charge_kopecks)::bigint AS returned_charge
     FROM daily_totals WHERE ${SCOPES[scope]} AND day BETWEEN $2::date AND $3::date GROUP BY day`,
    [id, first, last],
  );
  return rows.map((row) => ({
    day: row.day,
    counted: Number(row.counted),
    reversed: Number(row.reversed),
    rewardKopecks: row.reward,
    reversedRewardKopecks: row.reversed_reward,
    chargeKopecks: row.charge,
    returnedChargeKopecks: row.returned_charge,
  }));
}
