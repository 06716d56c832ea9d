import type { Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import { deposit, findAccount } from '../accounts/index.ts';
import { debitTransfer, GENERAL_PLATFORM, openAccounts, postTransfers } from '../ledger/index.ts';
import { recordNotices } from '../notices/index.ts';
import {
  findAdjustment,
  insertAdjustment,
  lockDepositRequest,
  type StoredAdjustment,
  saveDepositClosed,
} from './deposit-store.ts';
import { shorten } from './payout.ts';

type Refusal =
  /** The key was used for another account or amount. */
  { readonly kind: 'key_taken' } | { readonly kind: 'account_not_found' } | { readonly kind: 'invalid_amount' };

export interface Credit {
  /** Names the payment, so that it is credited once. */
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly note: string;
  readonly operatorId: number | null;
  /** The deposit request that this credit fulfils. */
  readonly depositRequestId?: number | undefined;
}

export type CreditOutcome =
  | { readonly kind: 'credited' }
  | { readonly kind: 'already_credited' }
  /** The deposit request is closed already, or belongs to another account. */
  | { readonly kind: 'request_closed' }
  | Refusal;

/** Credits money that an operator received outside the service. */
export async function creditAccount(
  tx: Transaction,
  { depositRequestId, note, at, ...credit }: Credit & { readonly at: Date },
): Promise<CreditOutcome> {
  const { accountId, amountKopecks } = credit;
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  if ((await findAccount(tx, accountId)) === undefined) return { kind: 'account_not_found' };
  // The lock makes concurrent decisions about the same request wait, including a second press of the same button.
  const request = depositRequestId === undefined ? undefined : await lockDepositRequest(tx, depositRequestId);
  const stored = await findAdjustment(tx, 'credit', credit.key);
  if (stored === undefined && depositRequestId !== undefined) {
    if (request?.accountId !== accountId || request.status !== 'open') return { kind: 'request_closed' };
    await saveDepositClosed(tx, depositRequestId, 'credited', at);
  }
  const earlier = stored ?? (await insertAdjustment(tx, 'credit', { ...credit, text: shorten(note), at }));
  if (earlier !== undefined) return { kind: isSame(earlier, credit) ? 'already_credited' : 'key_taken' };
  await deposit(tx, { accountId, amountKopecks, key: `operator:${credit.key}`, at });
  await recordNotices(tx, [{ accountId, kind: 'balance_credited', data: { amount: String(amountKopecks) } }], at);
  return { kind: 'credited' };
}

export interface Debit {
  /** Names the request, so that a repeat debits nothing. */
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly reason: string;
  readonly operatorId: number;
  /** Takes back a credit whose money never arrived. */
  readonly isCorrection?: boolean;
}

export type DebitOutcome = { readonly kind: 'debited' } | { readonly kind: 'already_debited' } | Refusal;

/** Takes money from an account. A debit above the balance leaves a debt, which later rewards pay first. */
export async function debitAccount(
  tx: Transaction,
  { reason, at, ...debit }: Debit & { readonly at: Date },
): Promise<DebitOutcome> {
  const { accountId, amountKopecks } = debit;
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  if ((await findAccount(tx, accountId)) === undefined) return { kind: 'account_not_found' };
  const earlier = await insertAdjustment(tx, 'debit', { ...debit, text: shorten(reason), at });
  if (earlier !== undefined) return { kind: isSame(earlier, debit) ? 'already_debited' : 'key_taken' };
  await openAccounts(tx, [GENERAL_PLATFORM]);
  assert((await postTransfers(tx, [debitTransfer(debit)], at)).size === 1, 'a debit takes its money once');
  return { kind: 'debited' };
}

const isSame = (earlier: StoredAdjustment, { accountId, amountKopecks }: StoredAdjustment): boolean =>
  earlier.accountId === accountId && earlier.amountKopecks === amountKopecks;
