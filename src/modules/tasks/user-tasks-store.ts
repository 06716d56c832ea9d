import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { TaskState } from './task.ts';

/** A task of a user that a confirm decided. */
export interface UserTask {
  readonly orderId: number;
  readonly state: TaskState;
  readonly rewardKopecks: Kopecks;
  readonly windowEndsAt: Date | null;
  /** Whether the publisher keeps the reward even if the user leaves. */
  readonly isKept: boolean;
}

/** Returns the latest tasks of a user that were counted or reversed, the newest first. */
export async function listUserTasks(db: Queryable, userId: number, limit: number): Promise<UserTask[]> {
  const rows = await db.query<{
    order_id: bigint;
    state: TaskState;
    reward_kopecks: bigint;
    window_ends_at: Date | null;
    is_kept: boolean;
  }>(
    `SELECT order_id, state, reward_kopecks, window_ends_at, kept_at IS NOT NULL AS is_kept FROM tasks
     WHERE user_id = $1 AND state IN ('held', 'paid', 'settled', 'reversed')
     ORDER BY confirmed_at DESC, order_id LIMIT $2`,
    [userId, limit],
  );
  return rows.map((row) => ({
    orderId: Number(row.order_id),
    state: row.state,
    rewardKopecks: row.reward_kopecks,
    windowEndsAt: row.window_ends_at,
    isKept: row.is_kept,
  }));
}
