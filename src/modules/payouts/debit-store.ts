import type { Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

export interface OperatorDebit {
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly reason: string;
  readonly operatorId: number;
  readonly at: Date;
}

/** Returns the debit that has this key already, if one has. */
export async function insertDebit(
  tx: Transaction,
  debit: OperatorDebit,
): Promise<Pick<OperatorDebit, 'accountId' | 'amountKopecks'> | undefined> {
  const inserted = await tx.query(
    `INSERT INTO operator_debits (key, account_id, amount_kopecks, reason, operator_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING RETURNING key`,
    [debit.key, debit.accountId, debit.amountKopecks, debit.reason, debit.operatorId, debit.at],
  );
  if (inserted.length > 0) return undefined;
  const [row] = await tx.query<{ account_id: bigint; amount_kopecks: bigint }>(
    'SELECT account_id, amount_kopecks FROM operator_debits WHERE key = $1',
    [debit.key],
  );
  if (row === undefined) throw new Error('a debit vanished while it was being stored');
  return { accountId: Number(row.account_id), amountKopecks: row.amount_kopecks };
}
