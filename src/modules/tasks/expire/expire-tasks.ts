import { businessDay, type Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordEvents } from '../../events/index.ts';
import { changeProgress, closeFinishedOrders, lockProgress, publishOrders } from '../../orders/index.ts';
import { changeBots, releasedBy } from '../counters-store.ts';
import { expireLapsed, lapsedTasks, releaseOf, tasksToKeep } from '../task-list.ts';
import { lockLapsedLists, saveLists } from '../task-list-store.ts';

/** Lists per transaction. */
const BATCH = 200;

/** Frees the reservations of tasks that were not confirmed in time. Returns how many there were. */
export async function expireTasks(deps: { db: Database; clock: Clock }, signal?: AbortSignal): Promise<number> {
  let expired = 0;
  while (signal?.aborted !== true) {
    const count = await deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const lists = await lockLapsedLists(tx, now, BATCH);
      if (lists.length === 0) return 0;
      const lapsed = lists.flatMap((list) => lapsedTasks(list, now));
      const orderIds = [...new Set(lapsed.map((task) => task.orderId))];
      await lockProgress(tx, orderIds);
      await saveLists(
        tx,
        lists.map((list) => ({
          ...list,
          tasks: tasksToKeep(expireLapsed(list, now).tasks, list.round, now),
        })),
      );
      await changeProgress(tx, lapsed.map(releaseOf), businessDay(now));
      await changeBots(tx, lapsed.map(releasedBy));
      const events = await closeFinishedOrders(tx, orderIds, now);
      await publishOrders(tx, orderIds);
      await recordEvents(tx, events, now);
      return lapsed.length;
    });
    if (count === 0) break;
    expired += count;
  }
  return expired;
}
