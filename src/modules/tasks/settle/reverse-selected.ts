import type { Clock } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../../core/money.ts';
import { insertReversal, type Selection, saveReversed, selectSubscriptions } from './selection-store.ts';
import { actOnFindings } from './settle-tasks.ts';

/** One transaction holds the locks of all of them; what is left of a larger selection is reversed by the next request. */
export const MOST_REVERSED = 1_000;

export interface Reversed {
  /** The number of its record. */
  readonly id: number;
  readonly count: number;
  readonly rewardKopecks: Kopecks;
}

export type ReverseOutcome =
  | ({ readonly kind: 'reversed' } & Reversed)
  /** The same request was carried out before. */
  | { readonly kind: 'already_done' }
  | { readonly kind: 'nothing' };

/**
 * An operator takes counted subscriptions back, settled ones too: the publisher loses the reward, and an order with
 * refund gets charge and slot back. What the publisher has withdrawn already becomes a debt.
 */
export async function reverseSelected(
  { db, clock }: { db: Database; clock: Clock },
  request: {
    readonly selection: Selection;
    readonly reason: string;
    readonly operatorId: number;
    /** Names the request, so that one sent twice reverses once. */
    readonly key: string;
    readonly alongside?: (tx: Transaction, reversed: Reversed) => Promise<void>;
  },
): Promise<ReverseOutcome> {
  const { selection, reason, operatorId, key, alongside } = request;
  return db.transaction(async (tx) => {
    const at = clock.now();
    const id = await insertReversal(tx, { ...selection, key, reason, operatorId, at });
    if (id === undefined) return { kind: 'already_done' };
    const selected = await selectSubscriptions(tx, selection, MOST_REVERSED);
    const findings = selected.map((taskKey) => ({ ...taskKey, stayed: false, byOperator: true }));
    const tasks = await actOnFindings(tx, findings, at);
    if (tasks.length === 0) return { kind: 'nothing' };
    const reversed = {
      id,
      count: tasks.length,
      rewardKopecks: sumKopecks(tasks.map(({ rewardKopecks }) => rewardKopecks)),
    };
    await saveReversed(tx, reversed);
    await alongside?.(tx, reversed);
    return { kind: 'reversed', ...reversed };
  });
}
