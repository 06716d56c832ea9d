import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordNotices } from '../../notices/index.ts';
import { pauseForLostAccess, type Resource } from '../../orders/index.ts';
import { insertDoubts, keepTasksOfResource } from './access-store.ts';

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Stores that Telegram denied our bot access once. Such replies are often wrong, so a job checks again later. */
export async function reportDeniedAccess(
  { db, clock }: AccessDeps,
  resources: readonly Pick<Resource, 'id'>[],
  userId: number,
): Promise<void> {
  const resourceIds = [...new Set(resources.map(({ id }) => id))];
  await insertDoubts(db, { resourceIds, userId, now: clock.now() });
}

/** Pauses the orders of a resource that our bot can no longer check. Publishers keep their unsettled rewards. */
export async function recordLostAccess({ db, clock }: AccessDeps, resourceId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    await keepTasksOfResource(tx, resourceId, now);
    const paused = await pauseForLostAccess(tx, resourceId);
    const notices = paused.map(({ id, accountId, title, resource }) => ({
      accountId,
      kind: 'order_paused' as const,
      data: { order_id: id, title, is_bot: resource.type === 'bot' },
    }));
    await recordNotices(tx, notices, now);
  });
}
