import type { Queryable, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';

/** A credit or a debit by an operator, and the column that says why. */
const TABLES = {
  credit: { table: 'operator_credits', textColumn: 'note' },
  debit: { table: 'operator_debits', textColumn: 'reason' },
} as const;
export type AdjustmentKind = keyof typeof TABLES;

export interface Adjustment {
  /** Names the payment or the request, so that a repeat changes nothing. */
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly text: string;
  readonly operatorId: number | null;
}

export type StoredAdjustment = Pick<Adjustment, 'accountId' | 'amountKopecks'>;

export async function findAdjustment(
  db: Queryable,
  kind: AdjustmentKind,
  key: string,
): Promise<StoredAdjustment | undefined> {
  const [row] = await db.query<{ account_id: bigint; amount_kopecks: bigint }>(
    `SELECT account_id, amount_kopecks FROM ${TABLES[kind].table} WHERE key = $1`,
    [key],
  );
  return row && { accountId: Number(row.account_id), amountKopecks: row.amount_kopecks };
}

/** Stores the adjustment. Returns the earlier one when its key is in use, and stores nothing then. */
export async function insertAdjustment(
  tx: Transaction,
  kind: AdjustmentKind,
  { key, accountId, amountKopecks, text, operatorId, at }: Adjustment & { readonly at: Date },
): Promise<StoredAdjustment | undefined> {
  const { table, textColumn } = TABLES[kind];
  const inserted = await tx.query(
    `INSERT INTO ${table} (key, account_id, amount_kopecks, ${textColumn}, operator_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING RETURNING key`,
    [key, accountId, amountKopecks, text, operatorId, at],
  );
  if (inserted.length > 0) return undefined;
  const earlier = await findAdjustment(tx, kind, key);
  assert(earlier !== undefined, `a ${kind} disappeared while it was being stored`);
  return earlier;
}
