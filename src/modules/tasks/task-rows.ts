import type { Task, TaskState } from './task.ts';

/** How a task stands in the database; shared by the stores of this module. */
export interface TaskRow {
  user_id: bigint;
  bot_id: bigint;
  order_id: bigint;
  account_id: bigint;
  resource_id: bigint;
  round: number;
  position: number;
  state: TaskState;
  charge_kopecks: bigint;
  reward_kopecks: bigint;
  hold_seconds: number;
  refund: boolean;
  shown_at: Date;
  was_outside: boolean;
  expires_at: Date;
  confirmed_at: Date | null;
  release_at: Date | null;
  window_ends_at: Date | null;
  kept_at: Date | null;
}

export const TASK_COLUMNS = `o.user_id, o.bot_id, o.order_id, o.account_id, o.resource_id, o.round, o.position, o.state,
  o.charge_kopecks, o.reward_kopecks, o.hold_seconds, o.refund, o.shown_at, o.was_outside, o.expires_at, o.confirmed_at,
  o.release_at, o.window_ends_at, o.kept_at`;

export const toTask = (row: TaskRow): Task => ({
  userId: Number(row.user_id),
  botId: Number(row.bot_id),
  orderId: Number(row.order_id),
  accountId: Number(row.account_id),
  resourceId: Number(row.resource_id),
  round: row.round,
  position: row.position,
  state: row.state,
  chargeKopecks: row.charge_kopecks,
  rewardKopecks: row.reward_kopecks,
  holdSeconds: row.hold_seconds,
  refund: row.refund,
  shownAt: row.shown_at,
  lateUntil: null,
  wasOutside: row.was_outside,
  expiresAt: row.expires_at,
  confirmedAt: row.confirmed_at,
  releaseAt: row.release_at,
  windowEndsAt: row.window_ends_at,
  keptAt: row.kept_at,
});

/** One array per key column, as `unnest` takes them. */
export function keyColumns(
  keys: readonly { userId: number; botId: number; orderId: number }[],
): [number[], number[], number[]] {
  return [keys.map((key) => key.userId), keys.map((key) => key.botId), keys.map((key) => key.orderId)];
}
