import type { Queryable } from '../../../core/database.ts';
import { type CaseDraft, NO_EVIDENCE } from '../case.ts';
import { findChanges } from '../rules.ts';
import { listChangedOrders } from '../suspects-store.ts';

/** Returns a draft for each order whose chat or title became another one after moderation. */
export async function findChangedResources(db: Queryable): Promise<CaseDraft[]> {
  return (await listChangedOrders(db)).flatMap(({ orderId, accountId, moderated, now }) => {
    const changes = findChanges(moderated, now);
    if (changes.length === 0) return [];
    return {
      kind: 'resource_changed' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: { ...NO_EVIDENCE, changes },
    };
  });
}
