import type { Queryable } from '../../../core/database.ts';
import type { CaseDraft } from '../case.ts';
import { isRemovalFraud } from '../rules.ts';
import { listRemovals } from '../suspects-store.ts';
import { draftOrderCase } from './draft-order-case.ts';
import type { Period } from './period.ts';

/** Returns a draft for each order whose users administrators removed. */
export async function findRemovals(db: Queryable, { since }: Period): Promise<CaseDraft[]> {
  const suspects = (await listRemovals(db, since)).filter(isRemovalFraud);
  return Promise.all(
    suspects.map(({ orderId, accountId, removed, counted }) => {
      const figures = { removed, counted };
      return draftOrderCase(db, { kind: 'removals', orderId, accountId, figures, only: 'removed', since });
    }),
  );
}
