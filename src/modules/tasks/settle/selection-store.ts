import type { Queryable, Transaction } from '../../../core/database.ts';
import type { Kopecks } from '../../../core/money.ts';
import type { TaskKey } from '../task.ts';

/** Subscriptions of a bot, of an order, or of both, counted from `from` until before `until`. */
export interface Selection {
  readonly botId: number | null;
  readonly orderId: number | null;
  readonly from: Date;
  readonly until: Date;
}

/** The effect that reversing a selection would have. */
export interface SelectionSummary {
  readonly count: number;
  /** The publishers' loss. */
  readonly rewardKopecks: Kopecks;
  /** The settled part of it, which may have been withdrawn and can become debts. */
  readonly settledKopecks: Kopecks;
  /** The return to orders with refund. */
  readonly returnedKopecks: Kopecks;
  readonly publishers: number;
}

const SELECTED = `FROM tasks
  WHERE state IN ('held', 'paid', 'settled') AND confirmed_at >= $3 AND confirmed_at < $4
    AND ($1::bigint IS NULL OR bot_id = $1) AND ($2::bigint IS NULL OR order_id = $2)`;

const paramsOf = ({ botId, orderId, from, until }: Selection) => [botId, orderId, from, until];

export async function summarizeSelection(db: Queryable, selection: Selection): Promise<SelectionSummary> {
  const [row] = await db.query<SelectionSummary>(
    `SELECT count(*)::float8 AS count, coalesce(sum(reward_kopecks), 0)::bigint AS "rewardKopecks",
            coalesce(sum(reward_kopecks) FILTER (WHERE state = 'settled'), 0)::bigint AS "settledKopecks",
            coalesce(sum(charge_kopecks) FILTER (WHERE refund), 0)::bigint AS "returnedKopecks",
            count(DISTINCT account_id)::float8 AS publishers ${SELECTED}`,
    paramsOf(selection),
  );
  return row ?? { count: 0, rewardKopecks: 0n, settledKopecks: 0n, returnedKopecks: 0n, publishers: 0 };
}

/** Returns the oldest subscriptions of a selection. */
export async function selectSubscriptions(db: Queryable, selection: Selection, limit: number): Promise<TaskKey[]> {
  return db.query<TaskKey>(
    `SELECT user_id::float8 AS "userId", bot_id::float8 AS "botId", order_id::float8 AS "orderId" ${SELECTED}
     ORDER BY confirmed_at, user_id, bot_id, order_id LIMIT $5`,
    [...paramsOf(selection), limit],
  );
}

export interface RecordedReversal extends Selection {
  readonly key: string;
  readonly reason: string;
  readonly operatorId: number;
  readonly at: Date;
}

/** Returns the id of the new record, or undefined when the key exists. */
export async function insertReversal(tx: Transaction, reversal: RecordedReversal): Promise<number | undefined> {
  const { key, botId, orderId, from, until, reason, operatorId, at } = reversal;
  const [row] = await tx.query<{ id: bigint }>(
    `INSERT INTO operator_reversals (key, bot_id, order_id, from_at, until_at, reason, operator_id, count, reward_kopecks,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8) ON CONFLICT (key) DO NOTHING RETURNING id`,
    [key, botId, orderId, from, until, reason, operatorId, at],
  );
  return row && Number(row.id);
}

export async function saveReversed(
  tx: Transaction,
  { id, count, rewardKopecks }: { id: number; count: number; rewardKopecks: Kopecks },
): Promise<void> {
  await tx.query('UPDATE operator_reversals SET count = $2, reward_kopecks = $3 WHERE id = $1', [
    id,
    count,
    rewardKopecks,
  ]);
}
