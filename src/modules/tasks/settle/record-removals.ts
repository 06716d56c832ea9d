import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordNotices, recordOperatorNotices } from '../../notices/index.ts';
import { lockProgress, pauseForRemovals } from '../../orders/index.ts';
import { keepTasks } from '../access/access-store.ts';
import type { TaskKey } from '../task.ts';

export interface RecordRemovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly operatorIds: ReadonlySet<number>;
}

/**
 * Protects the rewards of users whom an administrator removed within the window. Otherwise an advertiser could ban all
 * subscribers in the last minute and pay nothing. Orders with repeated removals pause; owners and operators get notices.
 */
export async function recordRemovals(deps: RecordRemovalsDeps, keys: readonly TaskKey[]): Promise<void> {
  if (keys.length === 0) return;
  await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const orderIds = await keepTasks(tx, keys, now);
    if (orderIds.length === 0) return;
    await lockProgress(tx, [...new Set(orderIds)]);
    for (const { order, removals } of await pauseForRemovals(tx, orderIds)) {
      const data = { order_id: order.id, title: order.title, removals };
      await recordNotices(tx, [{ accountId: order.accountId, kind: 'order_removals', data }], now);
      await recordOperatorNotices(tx, deps.operatorIds, { kind: 'order_removals', data }, now);
    }
  });
}
