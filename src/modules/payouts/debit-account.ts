import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import { findAccount } from '../accounts/index.ts';
import { available, openAccounts, platform, postTransfers } from '../ledger/index.ts';
import type { Alongside } from './approve-payout.ts';
import { insertDebit } from './debit-store.ts';
import { shorten } from './payout.ts';

export type DebitOutcome =
  | { readonly kind: 'debited' }
  | { readonly kind: 'already_debited' }
  /** The key was used for another account or amount. */
  | { readonly kind: 'key_taken' }
  | { readonly kind: 'account_not_found' }
  | { readonly kind: 'invalid_amount' };

export interface Debit {
  /** Names the request, so that one sent twice debits once. */
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly reason: string;
  readonly operatorId: number;
  readonly alongside?: Alongside;
}

/** Belongs to no order, like prizes: what was taken from an account is the platform's. */
const GENERAL = platform(0);

/** An operator takes money from an account. More than it has leaves a debt, which later accruals pay first. */
export async function debitAccount(
  { db, clock }: { db: Database; clock: Clock },
  { alongside, ...debit }: Debit,
): Promise<DebitOutcome> {
  if (debit.amountKopecks <= 0n) return { kind: 'invalid_amount' };
  return db.transaction(async (tx) => {
    if ((await findAccount(tx, debit.accountId)) === undefined) return { kind: 'account_not_found' };
    const at = clock.now();
    const earlier = await insertDebit(tx, { ...debit, reason: shorten(debit.reason), at });
    if (earlier !== undefined) {
      const isSame = earlier.accountId === debit.accountId && earlier.amountKopecks === debit.amountKopecks;
      return { kind: isSame ? 'already_debited' : 'key_taken' };
    }
    await alongside?.(tx);
    await take(tx, debit, at);
    return { kind: 'debited' };
  });
}

async function take(tx: Transaction, { key, accountId, amountKopecks }: Omit<Debit, 'alongside'>, at: Date) {
  await openAccounts(tx, [GENERAL]);
  const transfer = { key: `debit:${key}`, from: available(accountId), to: GENERAL, amountKopecks };
  assert((await postTransfers(tx, [transfer], at)).size === 1, 'a debit takes its money once');
}
