import type { Task, TaskKey, TaskState } from './task.ts';

/** A row of `tasks`, for the stores of this module. */
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

/** Columns of `tasks t`. */
export const TASK_COLUMNS = `t.user_id, t.bot_id, t.order_id, t.account_id, t.resource_id, t.round, t.position, t.state,
  t.charge_kopecks, t.reward_kopecks, t.hold_seconds, t.refund, t.shown_at, t.was_outside, t.expires_at, t.confirmed_at,
  t.release_at, t.window_ends_at, t.kept_at`;

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

/** Returns one array per field, for `unnest`. */
export function columnsOf<Row extends object>(rows: readonly Row[], ...fields: (keyof Row)[]): unknown[][] {
  return fields.map((field) => rows.map((row) => row[field]));
}

/** Returns one array per key column, for `unnest`. */
export const keyColumns = (keys: readonly TaskKey[]): unknown[][] => columnsOf(keys, 'userId', 'botId', 'orderId');
