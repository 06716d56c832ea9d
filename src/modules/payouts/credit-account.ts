import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { deposit, findAccount } from '../accounts/index.ts';
import { recordNotices } from '../notices/index.ts';
import type { Alongside } from './approve-payout.ts';
import { lockDepositRequest, saveDepositClosed } from './deposit-request-store.ts';
import { findCredit, insertCredit, type OperatorCredit } from './invoice-store.ts';
import { shorten } from './payout.ts';

export type CreditOutcome =
  | { readonly kind: 'credited' }
  | { readonly kind: 'already_credited' }
  /** The key was used for another account or amount. */
  | { readonly kind: 'key_taken' }
  | { readonly kind: 'account_not_found' }
  /** It answers a request that was answered already, or is another account's. */
  | { readonly kind: 'request_closed' }
  | { readonly kind: 'invalid_amount' };

export interface Credit extends OperatorCredit {
  /** The request for a deposit that it answers, if it does. */
  readonly depositRequestId?: number | undefined;
  readonly alongside?: Alongside;
}

/** An operator has received money and credits it. `key` names that payment, so that it is credited once. */
export async function creditAccount(
  { db, clock }: { db: Database; clock: Clock },
  { depositRequestId, alongside, ...credit }: Credit,
): Promise<CreditOutcome> {
  const { accountId, amountKopecks } = credit;
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  return db.transaction(async (tx) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'account_not_found' };
    // Whoever answers the same request waits here, a second tap on the same button included.
    const request = depositRequestId === undefined ? undefined : await lockDepositRequest(tx, depositRequestId);
    const at = clock.now();
    const known = await findCredit(tx, credit.key);
    if (known === undefined && depositRequestId !== undefined) {
      if (request?.accountId !== accountId || request.status !== 'open') return { kind: 'request_closed' };
      await saveDepositClosed(tx, depositRequestId, 'credited', at);
    }
    const earlier = known ?? (await insertCredit(tx, { ...credit, note: shorten(credit.note), at }));
    if (earlier !== undefined) {
      const isSame = earlier.accountId === accountId && earlier.amountKopecks === amountKopecks;
      return { kind: isSame ? 'already_credited' : 'key_taken' };
    }
    await alongside?.(tx);
    await deposit(tx, { accountId, amountKopecks, key: `operator:${credit.key}`, at });
    await recordNotices(tx, [{ accountId, kind: 'balance_credited', data: { amount: String(amountKopecks) } }], at);
    return { kind: 'credited' };
  });
}
