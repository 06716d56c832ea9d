import { randomUUID } from 'node:crypto';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import { lockBan, lockFunds } from '../accounts/index.ts';
import { openAccounts, payout as payoutAccount, payoutRequestedTransfer, postTransfers } from '../ledger/index.ts';
import { isDestination, type Payout, type PayoutMethod } from './payout.ts';
import { type PayoutDeps, payoutMethods } from './payout-deps.ts';
import { findPayoutByKey, insertPayout } from './store.ts';

export interface PayoutRequest {
  readonly accountId: number;
  /** Names the request: a repeat returns the same payout. */
  readonly key: string;
  readonly amountKopecks: Kopecks;
  readonly method: PayoutMethod;
  readonly destination: string;
}

export type RequestOutcome =
  /** `isRepeat`: the payout exists already, and this call changed nothing. */
  | { readonly kind: 'requested'; readonly payout: Payout; readonly isRepeat: boolean }
  | { readonly kind: 'below_minimum'; readonly minimumKopecks: Kopecks }
  | { readonly kind: 'insufficient_funds'; readonly withdrawableKopecks: Kopecks }
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'account_banned' }
  | { readonly kind: 'withdrawals_frozen' }
  | { readonly kind: 'invalid_destination' };

/**
 * Requests a payout of settled money. The money leaves the balance at once, so that it cannot be spent while an operator
 * decides. A reward whose window is open cannot be withdrawn, even without hold: its user may still leave.
 */
export async function requestPayout(deps: PayoutDeps, request: PayoutRequest): Promise<RequestOutcome> {
  const { accountId, amountKopecks, method } = request;
  const destination = request.destination.trim();
  if (!payoutMethods(deps).includes(method)) return { kind: 'method_unavailable' };
  if (!isDestination(method, destination)) return { kind: 'invalid_destination' };
  if (amountKopecks <= 0n || amountKopecks < deps.minimumKopecks) {
    return { kind: 'below_minimum', minimumKopecks: deps.minimumKopecks };
  }

  return deps.db.transaction(async (tx) => {
    const owner = await lockBan(tx, accountId);
    if (owner?.isBanned !== false) return { kind: 'account_banned' };
    // This lock makes requests of one account wait for each other, including repeats of this one.
    const { withdrawableKopecks } = await lockFunds(tx, accountId);
    const earlier = await findPayoutByKey(tx, accountId, request.key);
    if (earlier !== undefined) return { kind: 'requested', payout: earlier, isRepeat: true };
    if (owner.isFrozen) return { kind: 'withdrawals_frozen' };
    if (withdrawableKopecks < amountKopecks) return { kind: 'insufficient_funds', withdrawableKopecks };

    const at = deps.clock.now();
    const spendId = `sponsorgate-${randomUUID()}`;
    const payout = await insertPayout(tx, { ...request, destination, spendId, at });
    await openAccounts(tx, [payoutAccount(payout.id)]);
    const posted = await postTransfers(tx, [payoutRequestedTransfer(payout)], at);
    assert(posted.size === 1, 'a payout is requested once');
    return { kind: 'requested', payout, isRepeat: false };
  });
}
