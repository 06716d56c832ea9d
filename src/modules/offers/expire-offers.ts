import { businessDay, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { recordEvents } from '../events/index.ts';
import { announce, changeProgress, closeFinishedOrders, lockProgress } from '../orders/index.ts';
import { lockLapsed, saveExpired } from './placement-store.ts';

const BATCH = 500;

/** Gives back what offers had reserved that nobody confirmed in time. Answers how many there were. */
export async function expireOffers(deps: { db: Database; clock: Clock }, signal?: AbortSignal): Promise<number> {
  let expired = 0;
  while (signal?.aborted !== true) {
    const count = await deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const lapsed = await lockLapsed(tx, now, BATCH);
      if (lapsed.length === 0) return 0;
      const orderIds = [...new Set(lapsed.map((offer) => offer.orderId))];
      await lockProgress(tx, orderIds);
      await saveExpired(tx, lapsed);
      await changeProgress(
        tx,
        lapsed.map((offer) => ({ orderId: offer.orderId, reserved: -1, reservedKopecks: -offer.chargeKopecks })),
        businessDay(now),
      );
      const events = await closeFinishedOrders(tx, orderIds, now);
      await announce(tx, orderIds);
      await recordEvents(tx, events, now);
      return lapsed.length;
    });
    if (count === 0) break;
    expired += count;
  }
  return expired;
}
