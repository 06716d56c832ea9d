import type { Queryable } from '../../../core/database.ts';
import { type CaseDraft, NO_EVIDENCE } from '../case.ts';
import { readTaskExamples } from '../evidence-store.ts';
import { isApprovalFraud } from '../rules.ts';
import { listApprovals } from '../suspects-store.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose advertiser rejects most users. */
export async function findLowApprovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listApprovals(db, since)).filter(isApprovalFraud);
  return Promise.all(
    suspects.map(async ({ orderId, accountId, rejected, approved }) => ({
      kind: 'low_approval' as const,
      subject: { type: 'order' as const, id: orderId },
      accountId,
      evidence: {
        ...NO_EVIDENCE,
        figures: { rejected, approved },
        examples: await readTaskExamples(db, { orderIds: [orderId], only: 'rejected', since }),
      },
    })),
  );
}
