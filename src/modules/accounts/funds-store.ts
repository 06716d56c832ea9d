import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { available, lockBalances } from '../ledger/index.ts';

/** The parts of an account's balance. */
export interface Funds {
  /** The balance. A negative one is a debt, which later rewards pay first. */
  readonly availableKopecks: Kopecks;
  /** The part that can still be reversed: rewards without hold whose window is open. */
  readonly unsettledKopecks: Kopecks;
  /** The part that may be withdrawn or spent on an order. Never negative. */
  readonly withdrawableKopecks: Kopecks;
}

/** Reads the funds in one statement, so that the balance and the unsettled rewards are consistent. */
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
 * Locks the balance until the transaction ends, then reads the funds. Confirms, releases and reversals need this lock, so
 * the rewards that are read after it match the balance. A settlement needs no lock: it only makes more withdrawable.
 */
export async function lockFunds(tx: Transaction, accountId: number): Promise<Funds> {
  await lockBalances(tx, [available(accountId)]);
  return readFunds(tx, accountId);
}
