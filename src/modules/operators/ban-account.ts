import { findAccount, liftBan, saveBan } from '../accounts/index.ts';
import { announceBotsOf } from '../bots/index.ts';
import { pauseOrdersOf } from '../orders/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

export type BanOutcome =
  | { readonly kind: 'banned'; readonly botIds: readonly number[]; readonly pausedOrderIds: readonly number[] }
  | { readonly kind: 'already_banned' }
  /** Whoever bans an operator could lock everybody out, themselves first. */
  | { readonly kind: 'is_operator' }
  | { readonly kind: 'not_found' };

/**
 * Keeps an account out: the tokens of its bots are refused, what it has running is paused, it can ask for no payout, and
 * the bot talks to its owner no more. What it has earned stays its own.
 */
export async function banAccount(
  deps: DeskDeps,
  decision: ByOperator & { readonly accountId: number; readonly reason: string },
): Promise<BanOutcome> {
  const { accountId, reason } = decision;
  return deps.db.transaction(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (account === undefined) return { kind: 'not_found' };
    if (deps.operatorIds.has(account.telegramUserId)) return { kind: 'is_operator' };
    if (!(await saveBan(tx, { accountId, reason, at: deps.clock.now() }))) return { kind: 'already_banned' };
    const botIds = await announceBotsOf(tx, accountId);
    const pausedOrderIds = await pauseOrdersOf(tx, accountId);
    await writeDown(deps, decision, 'account.banned', { kind: 'account', id: accountId }, { reason })(tx);
    return { kind: 'banned', botIds, pausedOrderIds };
  });
}

export type UnbanOutcome =
  | { readonly kind: 'unbanned'; readonly botIds: readonly number[] }
  | { readonly kind: 'not_banned' };

/** Lets it in again. Its tokens work as before; its orders stay paused until their owner resumes them. */
export async function unbanAccount(
  deps: DeskDeps,
  decision: ByOperator & { readonly accountId: number },
): Promise<UnbanOutcome> {
  const { accountId } = decision;
  return deps.db.transaction(async (tx) => {
    if (!(await liftBan(tx, accountId))) return { kind: 'not_banned' };
    const botIds = await announceBotsOf(tx, accountId);
    await writeDown(deps, decision, 'account.unbanned', { kind: 'account', id: accountId })(tx);
    return { kind: 'unbanned', botIds };
  });
}
