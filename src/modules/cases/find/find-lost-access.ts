import type { Queryable } from '../../../core/database.ts';
import type { CaseDraft } from '../case.ts';
import { isAccessFraud } from '../rules.ts';
import { listLostAccess } from '../suspects-store.ts';
import { draftOrderCase } from './draft-order-case.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose chat our bot lost near the end of windows. */
export async function findLostAccess(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listLostAccess(db, since)).filter(isAccessFraud);
  return Promise.all(
    suspects.map(({ orderId, accountId, unsettled, nearWindowEnd, times }) => {
      const figures = { unsettled, near_window_end: nearWindowEnd, times };
      return draftOrderCase(db, { kind: 'access_withdrawn', orderId, accountId, figures, only: 'access_lost', since });
    }),
  );
}
