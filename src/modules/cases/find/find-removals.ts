import type { Queryable } from '../../../core/database.ts';
import { type CaseDraft, NO_EVIDENCE } from '../case.ts';
import { readTaskExamples } from '../evidence-store.ts';
import { isRemovalFraud } from '../rules.ts';
import { listRemovals } from '../suspects-store.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose users administrators removed. */
export async function findRemovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listRemovals(db, since)).filter(isRemovalFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, removed, counted }) => ({
      kind: 'removals' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { removed, counted },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'removed', since }),
      },
    })),
  );
}
