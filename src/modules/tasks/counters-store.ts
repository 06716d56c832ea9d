import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Task } from './task.ts';
import { columnsOf } from './task-rows.ts';

/** What a bot has shown so far, and how many of its tasks became subscriptions. */
export interface BotProgress {
  /** Open tasks for which an order keeps a slot. */
  readonly reservedCount: number;
  readonly shownTotal: number;
  readonly confirmedTotal: number;
  readonly reversedTotal: number;
}

/** Locks the counters of these bots in key order. Inserts the row of a bot that has never shown a task. */
export async function lockBots(tx: Transaction, botIds: readonly number[]): Promise<ReadonlyMap<number, BotProgress>> {
  const existing = await lockExistingBots(tx, botIds);
  const missing = botIds.filter((botId) => !existing.has(botId));
  if (missing.length === 0) return existing;
  await tx.query(
    `INSERT INTO bot_progress (bot_id) SELECT * FROM unnest($1::bigint[]) AS t (bot_id) ORDER BY bot_id
     ON CONFLICT DO NOTHING`,
    [missing],
  );
  return new Map([...existing, ...(await lockExistingBots(tx, missing))]);
}

async function lockExistingBots(tx: Transaction, botIds: readonly number[]): Promise<ReadonlyMap<number, BotProgress>> {
  const rows = await tx.query<{
    bot_id: bigint;
    reserved_count: number;
    shown_total: bigint;
    confirmed_total: bigint;
    reversed_total: bigint;
  }>(
    `SELECT bot_id, reserved_count, shown_total, confirmed_total, reversed_total
     FROM bot_progress WHERE bot_id = ANY($1::bigint[]) ORDER BY bot_id FOR UPDATE`,
    [botIds],
  );
  return new Map(
    rows.map((row) => [
      Number(row.bot_id),
      {
        reservedCount: row.reserved_count,
        shownTotal: Number(row.shown_total),
        confirmedTotal: Number(row.confirmed_total),
        reversedTotal: Number(row.reversed_total),
      },
    ]),
  );
}

/** The change of a bot's counters by one task. Absent means no change. */
export interface BotChange {
  readonly botId: number;
  readonly reserved?: number;
  readonly shown?: number;
  readonly confirmed?: number;
  readonly reversed?: number;
}

/** The change when a task gives up its reserved slot. */
export const releasedBy = ({ botId }: Pick<Task, 'botId'>): BotChange => ({ botId, reserved: -1 });

/** Adds up the changes per bot and applies them. */
export async function changeBots(tx: Transaction, changes: readonly BotChange[]): Promise<void> {
  const sums = new Map<number, Required<BotChange>>();
  for (const { botId, reserved = 0, shown = 0, confirmed = 0, reversed = 0 } of changes) {
    const sum = sums.get(botId);
    sums.set(botId, {
      botId,
      reserved: (sum?.reserved ?? 0) + reserved,
      shown: (sum?.shown ?? 0) + shown,
      confirmed: (sum?.confirmed ?? 0) + confirmed,
      reversed: (sum?.reversed ?? 0) + reversed,
    });
  }
  if (sums.size === 0) return;
  await tx.query(
    `WITH locked AS MATERIALIZED (
       SELECT bot_id FROM bot_progress WHERE bot_id = ANY($1::bigint[]) ORDER BY bot_id FOR UPDATE)
     UPDATE bot_progress p SET
       reserved_count = p.reserved_count + c.reserved, shown_total = p.shown_total + c.shown,
       confirmed_total = p.confirmed_total + c.confirmed, reversed_total = p.reversed_total + c.reversed
     FROM locked JOIN unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[])
       AS c (bot_id, reserved, shown, confirmed, reversed) USING (bot_id)
     WHERE p.bot_id = locked.bot_id`,
    columnsOf([...sums.values()], 'botId', 'reserved', 'shown', 'confirmed', 'reversed'),
  );
}

/** The change of a day's totals by one task. */
export interface TotalsChange {
  readonly botId: number;
  readonly orderId: number;
  /** The counted user. A user who was never counted before adds one to the platform's users. */
  readonly userId?: number;
  readonly counted?: number;
  readonly chargeKopecks?: Kopecks;
  readonly rewardKopecks?: Kopecks;
  readonly reversed?: number;
  readonly returnedChargeKopecks?: Kopecks;
  readonly reversedRewardKopecks?: Kopecks;
}

/** Runs in the transaction of the transfers and takes its locks last, so that the totals agree with the ledger. */
export async function addToTotals(tx: Transaction, changes: readonly TotalsChange[], day: string): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(ADD_SQL, [
    changes.map((change) => change.botId),
    changes.map((change) => change.orderId),
    changes.map((change) => change.counted ?? 0),
    changes.map((change) => change.chargeKopecks ?? 0n),
    changes.map((change) => change.rewardKopecks ?? 0n),
    changes.map((change) => change.reversed ?? 0),
    changes.map((change) => change.returnedChargeKopecks ?? 0n),
    changes.map((change) => change.reversedRewardKopecks ?? 0n),
    changes.map((change) => change.userId ?? null),
    day,
  ]);
}

// An inserted row has xmax 0; a row that ON CONFLICT updated has our transaction id there.
const ADD_SQL = `
  WITH changes AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::int[], $7::bigint[],
                         $8::bigint[], $9::bigint[])
      AS t (bot_id, order_id, counted, charge, reward, reversed, returned, taken, user_id)
  ), met AS (
    INSERT INTO counted_users AS u (user_id, last_counted_on)
    SELECT DISTINCT user_id, $10::date FROM changes WHERE user_id IS NOT NULL AND counted > 0 ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET last_counted_on = excluded.last_counted_on
      WHERE u.last_counted_on < excluded.last_counted_on
    RETURNING u.user_id, u.xmax = 0 AS is_new
  ), newcomers AS (
    SELECT DISTINCT ON (user_id) bot_id, order_id
    FROM changes JOIN met USING (user_id) WHERE is_new AND counted > 0
    ORDER BY user_id, bot_id, order_id
  ), new_users AS (
    SELECT bot_id, order_id, count(*) AS users FROM newcomers GROUP BY bot_id, order_id
  ), sums AS (
    SELECT bot_id, order_id, sum(counted) AS counted, sum(charge) AS charge, sum(reward) AS reward,
           sum(reversed) AS reversed, sum(returned) AS returned, sum(taken) AS taken
    FROM changes GROUP BY bot_id, order_id
  )
  INSERT INTO daily_totals AS d (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks, reversed,
                                 returned_charge_kopecks, reversed_reward_kopecks, new_users)
  SELECT $10::date, bot_id, order_id, counted, charge, reward, reversed, returned, taken, coalesce(users, 0)
  FROM sums LEFT JOIN new_users USING (bot_id, order_id)
  ORDER BY bot_id, order_id
  ON CONFLICT (bot_id, order_id, day) DO UPDATE SET
    counted = d.counted + excluded.counted,
    charge_kopecks = d.charge_kopecks + excluded.charge_kopecks,
    reward_kopecks = d.reward_kopecks + excluded.reward_kopecks,
    reversed = d.reversed + excluded.reversed,
    returned_charge_kopecks = d.returned_charge_kopecks + excluded.returned_charge_kopecks,
    reversed_reward_kopecks = d.reversed_reward_kopecks + excluded.reversed_reward_kopecks,
    new_users = d.new_users + excluded.new_users`;

/**
 * Returns how many subscribers each of these bots brought to these orders and were not reversed, by `botId:orderId`.
 * Exact for a caller that holds the lock of the order, because every count and reversal adds to the totals under it.
 */
export async function readCountedBySource(
  db: Queryable,
  pairs: readonly { readonly botId: number; readonly orderId: number }[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ bot_id: bigint; order_id: bigint; counted: bigint }>(
    `SELECT d.bot_id, d.order_id, sum(d.counted - d.reversed)::bigint AS counted
     FROM (SELECT DISTINCT bot_id, order_id FROM unnest($1::bigint[], $2::bigint[]) AS t (bot_id, order_id)) k
     JOIN daily_totals d ON d.bot_id = k.bot_id AND d.order_id = k.order_id
     GROUP BY d.bot_id, d.order_id`,
    columnsOf(pairs, 'botId', 'orderId'),
  );
  return new Map(rows.map((row) => [`${row.bot_id}:${row.order_id}`, Number(row.counted)]));
}

/** Counts the tasks shown on a day, for its conversion. The caller holds the locks of their orders. */
export async function addShown(
  tx: Transaction,
  shown: readonly { readonly botId: number; readonly orderId: number }[],
  day: string,
): Promise<void> {
  if (shown.length === 0) return;
  const counts = new Map<string, { botId: number; orderId: number; count: number }>();
  for (const { botId, orderId } of shown) {
    const key = `${botId}:${orderId}`;
    counts.set(key, { botId, orderId, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  await tx.query(
    `INSERT INTO daily_shown AS d (day, bot_id, order_id, shown)
     SELECT $4::date, bot_id, order_id, shown
     FROM unnest($1::bigint[], $2::bigint[], $3::int[]) AS t (bot_id, order_id, shown)
     ORDER BY bot_id, order_id
     ON CONFLICT (bot_id, order_id, day) DO UPDATE SET shown = d.shown + excluded.shown`,
    [...columnsOf([...counts.values()], 'botId', 'orderId', 'count'), day],
  );
}
