import type { Database } from '../../core/database.ts';
import { type Order, pauseForLostAccess, type Resource } from '../orders/index.ts';

/** What happens when our bot finds that it may no longer look into a resource. */
export interface AccessWatch {
  lost(resources: readonly Resource[]): Promise<void>;
}

export function createAccessWatch(db: Database, tellOwner: (order: Order) => void): AccessWatch {
  return {
    async lost(resources) {
      const ids = [...new Set(resources.map((resource) => resource.id))].sort((a, b) => a - b);
      for (const resourceId of ids) {
        const paused = await db.transaction((tx) => pauseForLostAccess(tx, resourceId));
        for (const order of paused) tellOwner(order);
      }
    },
  };
}
