import type { Queryable } from '../../../core/database.ts';
import type { CaseDraft } from '../case.ts';
import { isApprovalFraud } from '../rules.ts';
import { listApprovals } from '../suspects-store.ts';
import { draftOrderCase } from './draft-order-case.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose advertiser rejects most users. */
export async function findLowApprovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listApprovals(db, since)).filter(isApprovalFraud);
  return Promise.all(
    suspects.map(({ orderId, accountId, rejected, approved }) => {
      const figures = { rejected, approved };
      return draftOrderCase(db, { kind: 'low_approval', orderId, accountId, figures, only: 'rejected', since });
    }),
  );
}
