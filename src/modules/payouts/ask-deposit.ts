import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { lockBan } from '../accounts/index.ts';
import type { Alongside } from './approve-payout.ts';
import {
  countOpenDepositRequests,
  type DepositRequest,
  type DepositRequestStatus,
  findDepositRequestByKey,
  insertDepositRequest,
  lockDepositRequest,
  saveDepositClosed,
} from './deposit-request-store.ts';

export type AskDepositOutcome =
  | { readonly kind: 'asked'; readonly request: DepositRequest; readonly isRepeat: boolean }
  | { readonly kind: 'invalid_amount' }
  | { readonly kind: 'account_banned' }
  | { readonly kind: 'too_many_open'; readonly most: number };

/** Enough for anybody who means it; more would only fill the operators' queue. */
const MOST_OPEN = 5;

/** Asks an operator to take money. It is theirs to say how, and to credit what arrives. */
export async function askDeposit(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, amountKopecks, key }: { accountId: number; amountKopecks: Kopecks; key: string },
): Promise<AskDepositOutcome> {
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  return db.transaction(async (tx) => {
    if ((await lockBan(tx, accountId))?.isBanned !== false) return { kind: 'account_banned' };
    const known = await findDepositRequestByKey(tx, accountId, key);
    if (known !== undefined) return { kind: 'asked', request: known, isRepeat: true };
    if ((await countOpenDepositRequests(tx, accountId)) >= MOST_OPEN) return { kind: 'too_many_open', most: MOST_OPEN };
    const request = await insertDepositRequest(tx, { accountId, key, amountKopecks, at: clock.now() });
    if (request !== undefined) return { kind: 'asked', request, isRepeat: false };
    // The same request came in beside this one.
    const twin = await findDepositRequestByKey(tx, accountId, key);
    if (twin === undefined) throw new Error('a request for a deposit vanished while it was being stored');
    return { kind: 'asked', request: twin, isRepeat: true };
  });
}

export type DeclineDepositOutcome =
  | { readonly kind: 'declined'; readonly request: DepositRequest }
  | { readonly kind: 'not_open'; readonly status: DepositRequestStatus }
  | { readonly kind: 'not_found' };

/** No money came. */
export async function declineDeposit(
  { db, clock }: { db: Database; clock: Clock },
  { requestId, alongside }: { requestId: number; alongside?: Alongside },
): Promise<DeclineDepositOutcome> {
  return db.transaction(async (tx) => {
    const request = await lockDepositRequest(tx, requestId);
    if (request === undefined) return { kind: 'not_found' };
    if (request.status !== 'open') return { kind: 'not_open', status: request.status };
    await saveDepositClosed(tx, requestId, 'declined', clock.now());
    await alongside?.(tx);
    return { kind: 'declined', request };
  });
}
