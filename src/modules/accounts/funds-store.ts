import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { available, lockBalances } from '../ledger/index.ts';

/** What of an account's balance can leave it. */
export interface Funds {
  /** The balance. Negative: a debt, which later accruals pay first. */
  readonly availableKopecks: Kopecks;
  /** The part of the balance that a reversal can still take back: rewards without hold whose window still runs. */
  readonly unsettledKopecks: Kopecks;
  /** What may be withdrawn, or spent on an order. Never negative. */
  readonly withdrawableKopecks: Kopecks;
}

/** One statement, so that the balance and the rewards within it are of the same moment. */
export async function readFunds(db: Queryable, accountId: number): Promise<Funds> {
  const [row] = await db.query<{ available: bigint; unsettled: bigint }>(
    `SELECT coalesce((SELECT balance_kopecks FROM ledger_accounts WHERE kind = 'available' AND owner_id = $1), 0)::bigint
              AS available,
            (SELECT coalesce(sum(reward_kopecks), 0)::bigint FROM tasks WHERE account_id = $1 AND state = 'paid')
              AS unsettled`,
    [accountId],
  );
  const { available: availableKopecks, unsettled: unsettledKopecks } = row ?? { available: 0n, unsettled: 0n };
  const settled = availableKopecks - unsettledKopecks;
  return { availableKopecks, unsettledKopecks, withdrawableKopecks: settled > 0n ? settled : 0n };
}

/**
 * The same, and nobody moves money into or out of the balance until the transaction ends. The lock comes first: a
 * confirm, a release and a reversal all need it to commit, so the rewards that are read after it fit the balance. A
 * settlement needs no lock; it can only make more withdrawable than this returns.
 */
export async function lockFunds(tx: Transaction, accountId: number): Promise<Funds> {
  await lockBalances(tx, [available(accountId)]);
  return readFunds(tx, accountId);
}
