import type { Kopecks } from '../../core/money.ts';
import { findAccount, liftFreeze, saveFreeze } from '../accounts/index.ts';
import { resumeStoppedOrder, type StopOutcome, stopOrder } from '../orders/index.ts';
import type { DebitOutcome, FreezeOutcome } from '../payouts/index.ts';
import { type ReverseOutcome, reverseSelected, type Selection } from '../tasks/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

export type FreezeAccountOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' };

/** Nothing is withdrawn from the account: no payout of it is requested, approved or sent. Everything else goes on. */
export async function freezeAccount(
  deps: DeskDeps,
  decision: ByOperator & { readonly accountId: number; readonly reason: string },
): Promise<FreezeAccountOutcome> {
  const { accountId, reason } = decision;
  return deps.db.transaction(async (tx) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'not_found' };
    if (!(await saveFreeze(tx, { accountId, reason, at: deps.clock.now() }))) return { kind: 'unchanged' };
    await writeDown(deps, decision, 'account.frozen', { kind: 'account', id: accountId }, { reason })(tx);
    return { kind: 'done' };
  });
}

export async function unfreezeAccount(
  deps: DeskDeps,
  decision: ByOperator & { readonly accountId: number },
): Promise<FreezeAccountOutcome> {
  const { accountId } = decision;
  return deps.db.transaction(async (tx) => {
    if ((await findAccount(tx, accountId)) === undefined) return { kind: 'not_found' };
    if (!(await liftFreeze(tx, accountId))) return { kind: 'unchanged' };
    await writeDown(deps, decision, 'account.unfrozen', { kind: 'account', id: accountId })(tx);
    return { kind: 'done' };
  });
}

export async function freezePayout(
  deps: DeskDeps,
  decision: ByOperator & { readonly payoutId: number; readonly reason: string },
): Promise<FreezeOutcome> {
  const { payoutId, reason } = decision;
  const alongside = writeDown(deps, decision, 'payout.frozen', { kind: 'payout', id: payoutId }, { reason });
  return deps.payouts.freeze({ payoutId, reason, alongside });
}

export async function unfreezePayout(
  deps: DeskDeps,
  decision: ByOperator & { readonly payoutId: number },
): Promise<FreezeOutcome> {
  const { payoutId } = decision;
  const alongside = writeDown(deps, decision, 'payout.unfrozen', { kind: 'payout', id: payoutId });
  return deps.payouts.unfreeze({ payoutId, alongside });
}

export interface DebitDecision extends ByOperator {
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly reason: string;
  /** Names the request, so that one sent twice debits once. */
  readonly key: string;
}

export async function debitAccount(deps: DeskDeps, decision: DebitDecision): Promise<DebitOutcome> {
  const { accountId, amountKopecks, reason } = decision;
  const details = { amountKopecks: String(amountKopecks), reason };
  const alongside = writeDown(deps, decision, 'account.debited', { kind: 'account', id: accountId }, details);
  return deps.payouts.debitAccount({ ...decision, alongside });
}

/** Takes an order out of sight, whoever owns it. Only an operator lets it go on. */
export async function pauseOrder(
  deps: DeskDeps,
  decision: ByOperator & { readonly orderId: number; readonly reason: string },
): Promise<StopOutcome> {
  const { orderId, reason } = decision;
  return deps.db.transaction(async (tx) => {
    const outcome = await stopOrder(tx, { orderId, reason, at: deps.clock.now() });
    if (outcome.kind === 'done') {
      await writeDown(deps, decision, 'order.paused', { kind: 'order', id: orderId }, { reason })(tx);
    }
    return outcome;
  });
}

export async function resumeOrder(
  deps: DeskDeps,
  decision: ByOperator & { readonly orderId: number },
): Promise<StopOutcome> {
  const { orderId } = decision;
  return deps.db.transaction(async (tx) => {
    const outcome = await resumeStoppedOrder(tx, { orderId, at: deps.clock.now() });
    if (outcome.kind === 'done') await writeDown(deps, decision, 'order.resumed', { kind: 'order', id: orderId })(tx);
    return outcome;
  });
}

export interface ReverseDecision extends ByOperator {
  readonly selection: Selection;
  readonly reason: string;
  /** Names the request, so that one sent twice reverses once. */
  readonly key: string;
}

export async function reverseSubscriptions(deps: DeskDeps, decision: ReverseDecision): Promise<ReverseOutcome> {
  const { reason, selection } = decision;
  const { botId, orderId } = selection;
  const name = [botId === null ? [] : `bot ${botId}`, orderId === null ? [] : `order ${orderId}`].flat().join(', ');
  return reverseSelected(deps, {
    ...decision,
    alongside: (tx, { id, count, rewardKopecks }) => {
      const details = { amountKopecks: String(rewardKopecks), count, name, reason };
      return writeDown(deps, decision, 'subscriptions.reversed', { kind: 'reversal', id }, details)(tx);
    },
  });
}
