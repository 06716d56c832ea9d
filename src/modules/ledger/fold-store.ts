import type { Queryable } from '../../core/database.ts';

/** Folds old ones among the next `atMost` transfers, in a transaction of its own. Answers how many it folded. */
export async function foldBatch(db: Queryable, olderThan: Date, atMost: number): Promise<number> {
  const [row] = await db.query<{ folded: number }>('SELECT fold_transfers($1, $2) AS folded', [olderThan, atMost]);
  return row?.folded ?? 0;
}
