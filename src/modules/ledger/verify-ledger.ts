import type { Queryable } from '../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../core/money.ts';
import type { LedgerKind } from './account.ts';
import { type RecomputedAccount, recomputeAccounts } from './store.ts';

const MAY_BE_NEGATIVE: ReadonlySet<LedgerKind> = new Set(['available', 'platform', 'external']);

export interface LedgerReport {
  readonly balanced: boolean;
  /** The sum of all recomputed balances. Not zero means that money appeared or disappeared. */
  readonly totalKopecks: Kopecks;
  readonly accounts: readonly RecomputedAccount[];
  /** One sentence for each wrong account. */
  readonly faults: readonly string[];
}

/** Recomputes every balance from its transfers and folded sums, and compares it with the stored one. Safe under load. */
export async function verifyLedger(db: Queryable): Promise<LedgerReport> {
  const accounts = await recomputeAccounts(db);
  const totalKopecks = sumKopecks(accounts.map(({ recomputedKopecks }) => recomputedKopecks));
  const faults = accounts.flatMap(faultsOf);
  if (totalKopecks !== 0n) faults.push(`all balances together are ${totalKopecks} kopecks instead of zero`);
  return { balanced: faults.length === 0, totalKopecks, accounts, faults };
}

function faultsOf({ kind, ownerId, storedKopecks, recomputedKopecks }: RecomputedAccount): string[] {
  const name = `${kind}:${ownerId}`;
  const faults: string[] = [];
  if (storedKopecks !== recomputedKopecks) {
    faults.push(`${name} stores ${storedKopecks} kopecks, its transfers add up to ${recomputedKopecks}`);
  }
  if (recomputedKopecks < 0n && !MAY_BE_NEGATIVE.has(kind)) faults.push(`${name} is overdrawn: ${recomputedKopecks}`);
  return faults;
}
