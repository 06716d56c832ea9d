import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { deleteMemberships, listMemberships } from '../../audience/index.ts';
import { findIdleMemberships } from './forget-store.ts';
import { scanTable } from './scan-table.ts';

/** How long a membership is kept after its last observation. Longer than TASK_DAYS, because settlement reads it. */
export const MEMBERSHIP_DAYS = 400;
const PAGE = 1_000;

/** Deletes memberships that no decision needs (see `findIdleMemberships`). Returns how many there were. */
export async function forgetMemberships(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = PAGE,
): Promise<number> {
  const now = clock.now();
  const observedBefore = new Date(now.getTime() - MEMBERSHIP_DAYS * DAY_MS);
  return scanTable(
    { db, now },
    'memberships',
    async (tx, { userId, otherId }) => {
      const page = await listMemberships(tx, { after: { userId, chatId: otherId }, limit });
      const old = page.filter(({ observedAt }) => observedAt < observedBefore);
      const count = await deleteMemberships(tx, await findIdleMemberships(tx, old), observedBefore);
      const last = page.length < limit ? undefined : page.at(-1);
      return { count, last: last && { userId: last.userId, otherId: last.chatId } };
    },
    signal,
  );
}
