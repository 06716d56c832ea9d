import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { pauseForLostAccess, type Resource } from '../orders/index.ts';

/** What happens when our bot finds that it may no longer look into a resource. */
export interface AccessWatch {
  lost(resources: readonly Pick<Resource, 'id'>[]): Promise<void>;
}

/** Its orders pause, and their owners are told. */
export function createAccessWatch({ db, clock }: { db: Database; clock: Clock }): AccessWatch {
  return {
    async lost(resources) {
      const ids = [...new Set(resources.map((resource) => resource.id))].sort((a, b) => a - b);
      for (const resourceId of ids) {
        await db.transaction(async (tx) => {
          const paused = await pauseForLostAccess(tx, resourceId);
          const notices = paused.map(({ id, accountId, title }) => ({
            accountId,
            kind: 'order_paused' as const,
            data: { order_id: id, title },
          }));
          await recordNotices(tx, notices, clock.now());
        });
      }
    },
  };
}
