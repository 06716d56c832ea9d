import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import { lockBan, lockFunds } from '../accounts/index.ts';
import { available, openAccounts, payout as payoutAccount, postTransfers } from '../ledger/index.ts';
import { isDestination, type Payout, type PayoutMethod } from './payout.ts';
import { findPayoutByKey, insertPayout } from './store.ts';

export interface RequestDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly minimumKopecks: Kopecks;
  readonly methods: ReadonlySet<PayoutMethod>;
}

export interface PayoutRequest {
  readonly accountId: number;
  /** Names the request: the same one sent twice asks once and gets the same payout. */
  readonly key: string;
  readonly amountKopecks: Kopecks;
  readonly method: PayoutMethod;
  readonly destination: string;
}

export type RequestOutcome =
  /** `isRepeat`: the same request was made before, and nothing has happened now. */
  | { readonly kind: 'requested'; readonly payout: Payout; readonly isRepeat: boolean }
  | { readonly kind: 'below_minimum'; readonly minimumKopecks: Kopecks }
  | { readonly kind: 'insufficient_funds'; readonly withdrawableKopecks: Kopecks }
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'account_banned' }
  | { readonly kind: 'withdrawals_frozen' }
  | { readonly kind: 'invalid_destination' };

/**
 * Asks for settled money. It leaves the balance at once, so that it cannot be spent while an operator decides. A reward
 * whose window still runs cannot be asked for, whatever its hold: the users who earned it may leave.
 */
export async function requestPayout(deps: RequestDeps, request: PayoutRequest): Promise<RequestOutcome> {
  const { accountId, amountKopecks, method } = request;
  const destination = request.destination.trim();
  if (!deps.methods.has(method)) return { kind: 'method_unavailable' };
  if (!isDestination(method, destination)) return { kind: 'invalid_destination' };
  if (amountKopecks <= 0n || amountKopecks < deps.minimumKopecks) {
    return { kind: 'below_minimum', minimumKopecks: deps.minimumKopecks };
  }

  return deps.db.transaction(async (tx) => {
    const owner = await lockBan(tx, accountId);
    if (owner?.isBanned !== false) return { kind: 'account_banned' };
    // From here on requests of this account come one after the other, repeats of this one included.
    const balance = available(accountId);
    const { withdrawableKopecks } = await lockFunds(tx, accountId);
    const known = await findPayoutByKey(tx, accountId, request.key);
    if (known !== undefined) return { kind: 'requested', payout: known, isRepeat: true };
    if (owner.isFrozen) return { kind: 'withdrawals_frozen' };
    if (withdrawableKopecks < amountKopecks) return { kind: 'insufficient_funds', withdrawableKopecks };

    const at = deps.clock.now();
    const spendId = `sponsorgate-${randomUUID()}`;
    const payout = await insertPayout(tx, { ...request, destination, spendId, at });
    await openAccounts(tx, [payoutAccount(payout.id)]);
    const key = `payout:${payout.id}:request`;
    const posted = await postTransfers(tx, [{ key, from: balance, to: payoutAccount(payout.id), amountKopecks }], at);
    assert(posted.size === 1, 'a payout is requested once');
    return { kind: 'requested', payout, isRepeat: false };
  });
}
