import type { Queryable } from '../../../core/database.ts';
import { type CaseDraft, NO_EVIDENCE } from '../case.ts';
import { readTaskExamples } from '../evidence-store.ts';
import { isAccessFraud } from '../rules.ts';
import { listLostAccess } from '../suspects-store.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose chat our bot lost near the end of windows. */
export async function findLostAccess(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listLostAccess(db, since)).filter(isAccessFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, unsettled, nearWindowEnd, times }) => ({
      kind: 'access_withdrawn' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { unsettled, near_window_end: nearWindowEnd, times },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'access_lost', since }),
      },
    })),
  );
}
