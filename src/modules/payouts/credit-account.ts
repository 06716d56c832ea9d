import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { deposit, findAccount } from '../accounts/index.ts';
import { insertCredit, type OperatorCredit } from './invoice-store.ts';
import { shorten } from './payout.ts';

export type CreditOutcome =
  | { readonly kind: 'credited' }
  | { readonly kind: 'already_credited' }
  /** The key was used for another account or amount. */
  | { readonly kind: 'key_taken' }
  | { readonly kind: 'account_not_found' }
  | { readonly kind: 'invalid_amount' };

/** An operator has received money and credits it. `key` names that payment, so that it is credited once. */
export async function creditAccount(
  { db, clock }: { db: Database; clock: Clock },
  credit: OperatorCredit,
): Promise<CreditOutcome> {
  const { accountId, amountKopecks } = credit;
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  return db.transaction(async (tx) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'account_not_found' };
    const at = clock.now();
    const known = await insertCredit(tx, { ...credit, note: shorten(credit.note), at });
    if (known !== undefined) {
      const isSame = known.accountId === accountId && known.amountKopecks === amountKopecks;
      return { kind: isSame ? 'already_credited' : 'key_taken' };
    }
    await deposit(tx, { accountId, amountKopecks, key: `operator:${credit.key}`, at });
    return { kind: 'credited' };
  });
}
