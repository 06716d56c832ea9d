import type { Transaction } from '../../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../../core/money.ts';
import { insertReversal, type Selection, saveReversed, selectSubscriptions } from './selection-store.ts';
import { applySettlements } from './settle-tasks.ts';

/** One transaction locks all of them. The operator repeats the request for the rest of a larger selection. */
export const MOST_REVERSED = 1_000;

interface Reversed {
  /** The id of its record. */
  readonly id: number;
  readonly count: number;
  readonly rewardKopecks: Kopecks;
}

export type ReverseOutcome =
  | ({ readonly kind: 'reversed' } & Reversed)
  /** A request with the same key has run before. */
  | { readonly kind: 'already_done' }
  | { readonly kind: 'nothing' };

/**
 * Reverses subscriptions for an operator, settled ones too: the publisher loses the reward, and an order with refund
 * gets charge and slot back. A reward that the publisher has withdrawn becomes a debt.
 */
export async function reverseSelected(
  tx: Transaction,
  request: {
    readonly selection: Selection;
    readonly reason: string;
    readonly operatorId: number;
    /** Idempotency key: a repeated request reverses once. */
    readonly key: string;
    readonly at: Date;
  },
): Promise<ReverseOutcome> {
  const { selection, reason, operatorId, key, at } = request;
  const id = await insertReversal(tx, { ...selection, key, reason, operatorId, at });
  if (id === undefined) return { kind: 'already_done' };
  const selected = await selectSubscriptions(tx, selection, MOST_REVERSED);
  const settlements = selected.map((taskKey) => ({ ...taskKey, stayed: false, byOperator: true }));
  const tasks = await applySettlements(tx, settlements, at);
  if (tasks.length === 0) return { kind: 'nothing' };
  const rewardKopecks = sumKopecks(tasks.map((task) => task.rewardKopecks));
  const reversed = { id, count: tasks.length, rewardKopecks };
  await saveReversed(tx, reversed);
  return { kind: 'reversed', ...reversed };
}
