import type { Queryable } from '../../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../../core/money.ts';
import { type CaseDraft, type Evidence, NO_EVIDENCE } from '../case.ts';
import { isLargePayout } from '../rules.ts';
import { listUnjudgedPayouts, type UnjudgedPayout } from '../suspects-store.ts';

/**
 * Returns a draft for each account with a large payout. An owner could request many payouts below the limit, so those of
 * one day count together with all that wait.
 */
export async function findLargePayouts(
  db: Queryable,
  {
    payoutReviewAboveKopecks: limitKopecks,
    accountId,
  }: { readonly payoutReviewAboveKopecks: Kopecks; readonly accountId?: number },
): Promise<CaseDraft[]> {
  if (limitKopecks <= 0n) return [];
  const payouts = await listUnjudgedPayouts(db, accountId);
  return [...Map.groupBy(payouts, (payout) => payout.accountId)].flatMap(([owner, group]) => {
    const amountKopecks = sumKopecks(group.map((payout) => payout.amountKopecks));
    if (!isLargePayout(amountKopecks, limitKopecks) || !group.some(({ isWaiting }) => isWaiting)) return [];
    return {
      kind: 'large_payout' as const,
      subject: { type: 'account' as const, id: owner },
      accountId: owner,
      evidence: describePayouts(group, amountKopecks, limitKopecks),
    };
  });
}

const describePayouts = (
  payouts: readonly UnjudgedPayout[],
  amountKopecks: Kopecks,
  limitKopecks: Kopecks,
): Evidence => ({
  ...NO_EVIDENCE,
  figures: {
    payouts: payouts.length,
    amount_kopecks: Number(amountKopecks),
    limit_kopecks: Number(limitKopecks),
  },
  examples: payouts.slice(0, 20).map((payout) => ({
    at: payout.createdAt.toISOString(),
    payout_id: payout.id,
    kopecks: Number(payout.amountKopecks),
  })),
  payout_ids: payouts.map(({ id }) => id),
});
