import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordNotices } from '../../notices/index.ts';
import { pauseForLostAccess, type Resource } from '../../orders/index.ts';
import { insertDoubts, keepTasksOfResource } from './access-store.ts';

/** What happens when our bot finds that it may no longer look into a resource. */
export interface AccessWatch {
  /** One answer denied access: noted, and asked again later. Such answers are often wrong. */
  doubt(resources: readonly Pick<Resource, 'id'>[], userId: number): Promise<void>;
  /** Access is gone: the orders pause, their owners are told, and publishers keep what is not settled yet. */
  lost(resources: readonly Pick<Resource, 'id'>[]): Promise<void>;
}

export function createAccessWatch({ db, clock }: { db: Database; clock: Clock }): AccessWatch {
  return {
    async doubt(resources, userId) {
      await insertDoubts(db, { resourceIds: idsOf(resources), userId, now: clock.now() });
    },
    async lost(resources) {
      for (const resourceId of idsOf(resources)) {
        await db.transaction(async (tx) => {
          const now = clock.now();
          await keepTasksOfResource(tx, resourceId, now);
          const paused = await pauseForLostAccess(tx, resourceId);
          const notices = paused.map(({ id, accountId, title }) => ({
            accountId,
            kind: 'order_paused' as const,
            data: { order_id: id, title },
          }));
          await recordNotices(tx, notices, now);
        });
      }
    },
  };
}

const idsOf = (resources: readonly Pick<Resource, 'id'>[]): number[] =>
  [...new Set(resources.map((resource) => resource.id))].sort((a, b) => a - b);
