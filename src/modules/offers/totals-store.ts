import type { Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

/** What one task adds to the day's figures of its bot and order. */
export interface TotalsChange {
  readonly botId: number;
  readonly orderId: number;
  readonly counted?: number;
  readonly chargeKopecks?: Kopecks;
  readonly rewardKopecks?: Kopecks;
  readonly reversed?: number;
  readonly returnedChargeKopecks?: Kopecks;
  readonly reversedRewardKopecks?: Kopecks;
}

/** Written in the transaction of the facts, last of all locks, so that the figures always agree with the ledger. */
export async function addToTotals(tx: Transaction, changes: readonly TotalsChange[], day: string): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `INSERT INTO daily_totals AS d (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks, reversed,
                                    returned_charge_kopecks, reversed_reward_kopecks)
     SELECT $9::date, bot_id, order_id, sum(counted), sum(charge), sum(reward), sum(reversed), sum(returned), sum(taken)
     FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::int[], $7::bigint[], $8::bigint[])
       AS t (bot_id, order_id, counted, charge, reward, reversed, returned, taken)
     GROUP BY bot_id, order_id
     ORDER BY bot_id, order_id
     ON CONFLICT (bot_id, order_id, day) DO UPDATE SET
       counted = d.counted + excluded.counted,
       charge_kopecks = d.charge_kopecks + excluded.charge_kopecks,
       reward_kopecks = d.reward_kopecks + excluded.reward_kopecks,
       reversed = d.reversed + excluded.reversed,
       returned_charge_kopecks = d.returned_charge_kopecks + excluded.returned_charge_kopecks,
       reversed_reward_kopecks = d.reversed_reward_kopecks + excluded.reversed_reward_kopecks`,
    [
      changes.map((change) => change.botId),
      changes.map((change) => change.orderId),
      changes.map((change) => change.counted ?? 0),
      changes.map((change) => change.chargeKopecks ?? 0n),
      changes.map((change) => change.rewardKopecks ?? 0n),
      changes.map((change) => change.reversed ?? 0),
      changes.map((change) => change.returnedChargeKopecks ?? 0n),
      changes.map((change) => change.reversedRewardKopecks ?? 0n),
      day,
    ],
  );
}
