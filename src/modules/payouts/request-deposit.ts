import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import { lockBan } from '../accounts/index.ts';
import {
  countOpenDepositRequests,
  type DepositRequest,
  type DepositRequestStatus,
  findDepositRequestByKey,
  insertDepositRequest,
  lockDepositRequest,
  saveDepositClosed,
} from './deposit-store.ts';

export type RequestDepositOutcome =
  | { readonly kind: 'requested'; readonly request: DepositRequest; readonly isRepeat: boolean }
  | { readonly kind: 'invalid_amount' }
  | { readonly kind: 'account_banned' }
  | { readonly kind: 'too_many_open'; readonly most: number };

/** Limits how much of the operators' queue one account can fill. */
const MAX_OPEN = 5;

/** Asks the operators to accept a deposit. An operator agrees on the payment with the owner and credits it. */
export async function requestDeposit(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, amountKopecks, key }: { accountId: number; amountKopecks: Kopecks; key: string },
): Promise<RequestDepositOutcome> {
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  return db.transaction(async (tx) => {
    if ((await lockBan(tx, accountId))?.isBanned !== false) return { kind: 'account_banned' };
    const earlier = await findDepositRequestByKey(tx, accountId, key);
    if (earlier !== undefined) return { kind: 'requested', request: earlier, isRepeat: true };
    if ((await countOpenDepositRequests(tx, accountId)) >= MAX_OPEN) return { kind: 'too_many_open', most: MAX_OPEN };
    const request = await insertDepositRequest(tx, { accountId, key, amountKopecks, at: clock.now() });
    if (request !== undefined) return { kind: 'requested', request, isRepeat: false };
    // A concurrent transaction stored the same request after the query above.
    const concurrent = await findDepositRequestByKey(tx, accountId, key);
    assert(concurrent !== undefined, 'a deposit request disappeared while it was being stored');
    return { kind: 'requested', request: concurrent, isRepeat: true };
  });
}

export type DeclineDepositOutcome =
  | { readonly kind: 'declined'; readonly request: DepositRequest }
  | { readonly kind: 'not_open'; readonly status: DepositRequestStatus }
  | { readonly kind: 'not_found' };

/** Closes a deposit request for which no money arrived. */
export async function declineDeposit(
  tx: Transaction,
  { requestId, at }: { requestId: number; at: Date },
): Promise<DeclineDepositOutcome> {
  const request = await lockDepositRequest(tx, requestId);
  if (request === undefined) return { kind: 'not_found' };
  if (request.status !== 'open') return { kind: 'not_open', status: request.status };
  await saveDepositClosed(tx, requestId, 'declined', at);
  return { kind: 'declined', request };
}
