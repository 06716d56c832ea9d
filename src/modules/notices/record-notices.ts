import type { Transaction } from '../../core/database.ts';
import { endOfHour, type NewNotice, type OperatorNotice } from './notice.ts';
import { addToDigests, findAccountsOf, insertNotices } from './store.ts';

/**
 * Stores notices in the transaction that caused them. Call it last, like `recordEvents`: it locks the digest of an
 * account until the commit.
 */
export async function recordNotices(tx: Transaction, notices: readonly NewNotice[], at: Date): Promise<void> {
  const single = notices.filter(({ kind }) => kind !== 'subscriptions_reversed');
  const digests = new Map<number, { count: number; amountKopecks: bigint }>();
  for (const { accountId, kind, data } of notices) {
    if (kind !== 'subscriptions_reversed') continue;
    const { count, amountKopecks } = digests.get(accountId) ?? { count: 0, amountKopecks: 0n };
    digests.set(accountId, { count: count + data.count, amountKopecks: amountKopecks + BigInt(data.amount) });
  }
  if (single.length > 0) await insertNotices(tx, single, at);
  if (digests.size > 0) await addToDigests(tx, digests, endOfHour(at));
}

/** Stores a notice for every operator with an account, found by Telegram id. */
export async function recordOperatorNotices(
  tx: Transaction,
  operatorIds: ReadonlySet<number>,
  notice: OperatorNotice,
  at: Date,
): Promise<void> {
  if (operatorIds.size === 0) return;
  const accountIds = await findAccountsOf(tx, [...operatorIds]);
  if (accountIds.length === 0) return;
  await insertNotices(
    tx,
    accountIds.map((accountId) => ({ accountId, ...notice })),
    at,
  );
}
