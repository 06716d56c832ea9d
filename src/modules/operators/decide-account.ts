import { findAccount, liftBan, liftFreeze, saveBan, saveFreeze } from '../accounts/index.ts';
import { publishBotsOf } from '../bots/index.ts';
import { pauseOrdersOf } from '../orders/index.ts';
import * as payouts from '../payouts/index.ts';
import { type ByOperator, type Decision, decide, type OperatorDeps } from './decide.ts';
import { findAction } from './store.ts';

type AccountDecision = ByOperator & { readonly accountId: number };

export type BanOutcome =
  | { readonly kind: 'banned'; readonly pausedOrderIds: readonly number[] }
  | { readonly kind: 'already_banned' }
  /** Operators cannot be banned: otherwise one of them could lock out all others. */
  | { readonly kind: 'is_operator' }
  | { readonly kind: 'not_found' };

/**
 * Bans an account: its tokens are refused, its running orders are paused, it can request no payout, and the bot ignores
 * its owner. The balance stays.
 */
export function banAccount(
  deps: OperatorDeps & { readonly operatorIds: ReadonlySet<number> },
  decision: AccountDecision & { readonly reason: string },
): Promise<BanOutcome> {
  return decide(deps, decision, (parts) => banIn(parts, deps.operatorIds, decision));
}

/** The same in the transaction of another decision. */
export async function banIn(
  { tx, at, log }: Decision,
  operatorIds: ReadonlySet<number>,
  { accountId, reason }: { readonly accountId: number; readonly reason: string },
): Promise<BanOutcome> {
  const account = await findAccount(tx, accountId);
  if (account === undefined) return { kind: 'not_found' };
  if (operatorIds.has(account.telegramUserId)) return { kind: 'is_operator' };
  if (!(await saveBan(tx, { accountId, reason, at }))) return { kind: 'already_banned' };
  await publishBotsOf(tx, accountId);
  const pausedOrderIds = await pauseOrdersOf(tx, accountId);
  await log('account.banned', accountId, { reason });
  return { kind: 'banned', pausedOrderIds };
}

export type UnbanOutcome = { readonly kind: 'unbanned' } | { readonly kind: 'not_banned' };

/** Lifts a ban. The tokens work again; the orders stay paused until their owner resumes them. */
export function unbanAccount(deps: OperatorDeps, decision: AccountDecision): Promise<UnbanOutcome> {
  const { accountId } = decision;
  return decide(deps, decision, async ({ tx, log }) => {
    if (!(await liftBan(tx, accountId))) return { kind: 'not_banned' };
    await publishBotsOf(tx, accountId);
    await log('account.unbanned', accountId);
    return { kind: 'unbanned' };
  });
}

export type FreezeAccountOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' };

/** Freezes withdrawals: no payout of the account can be requested, approved or sent. */
export function freezeAccount(
  deps: OperatorDeps,
  decision: AccountDecision & { readonly reason: string },
): Promise<FreezeAccountOutcome> {
  const { accountId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'not_found' };
    if (!(await saveFreeze(tx, { accountId, reason, at }))) return { kind: 'unchanged' };
    await log('account.frozen', accountId, { reason });
    return { kind: 'done' };
  });
}

export function unfreezeAccount(deps: OperatorDeps, decision: AccountDecision): Promise<FreezeAccountOutcome> {
  const { accountId } = decision;
  return decide(deps, decision, async ({ tx, log }) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'not_found' };
    if (!(await liftFreeze(tx, accountId))) return { kind: 'unchanged' };
    await log('account.unfrozen', accountId);
    return { kind: 'done' };
  });
}

export type CreditDecision = ByOperator & Omit<payouts.Credit, 'operatorId'>;

export function creditAccount(deps: OperatorDeps, decision: CreditDecision): Promise<payouts.CreditOutcome> {
  const { accountId, amountKopecks, note } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.creditAccount(tx, { ...decision, at });
    if (outcome.kind === 'credited') {
      await log('account.credited', accountId, { amountKopecks: String(amountKopecks), note });
    }
    return outcome;
  });
}

export function debitAccount(deps: OperatorDeps, decision: payouts.Debit): Promise<payouts.DebitOutcome> {
  const { accountId, amountKopecks, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.debitAccount(tx, { ...decision, at });
    if (outcome.kind === 'debited') {
      await log('account.debited', accountId, { amountKopecks: String(amountKopecks), reason });
    }
    return outcome;
  });
}

export type CorrectCreditOutcome = payouts.DebitOutcome | { readonly kind: 'credit_not_found' };

/** Takes back a mistaken credit by a counter-entry, once. `creditId` is its entry in the audit log. */
export async function correctCredit(
  deps: OperatorDeps,
  { operatorId, creditId, reason }: ByOperator & { readonly creditId: number; readonly reason: string },
): Promise<CorrectCreditOutcome> {
  const credit = await findAction(deps.db, creditId);
  const amount = credit?.action === 'account.credited' ? credit.details.amountKopecks : undefined;
  if (credit === undefined || amount === undefined) return { kind: 'credit_not_found' };
  return debitAccount(deps, {
    operatorId,
    accountId: credit.subject.id,
    amountKopecks: BigInt(amount),
    reason,
    key: `credit:${creditId}`,
    isCorrection: true,
  });
}

export function declineDeposit(
  deps: OperatorDeps,
  decision: ByOperator & { readonly requestId: number },
): Promise<payouts.DeclineDepositOutcome> {
  const { requestId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.declineDeposit(tx, { requestId, at });
    if (outcome.kind === 'declined') await log('deposit.declined', requestId);
    return outcome;
  });
}
