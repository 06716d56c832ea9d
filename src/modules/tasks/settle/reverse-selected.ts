import type { Transaction } from '../../../core/database.ts';
import { type Kopecks, sumKopecks } from '../../../core/money.ts';
import { insertReversal, type Selection, saveReversed, selectSubscriptions } from './selection-store.ts';
import { actOnFindings } from './settle-tasks.ts';

/** One transaction holds the locks of all of them; what is left of a larger selection is reversed by the next request. */
export const MOST_REVERSED = 1_000;

interface Reversed {
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
  tx: Transaction,
  request: {
    readonly selection: Selection;
    readonly reason: string;
    readonly operatorId: number;
    /** Names the request, so that a repeat reverses nothing. */
    readonly key: string;
    readonly at: Date;
  },
): Promise<ReverseOutcome> {
  const { selection, reason, operatorId, key, at } = request;
  const id = await insertReversal(tx, { ...selection, key, reason, operatorId, at });
  if (id === undefined) return { kind: 'already_done' };
  const selected = await selectSubscriptions(tx, selection, MOST_REVERSED);
  const findings = selected.map((taskKey) => ({ ...taskKey, stayed: false, byOperator: true }));
  const tasks = await actOnFindings(tx, findings, at);
  if (tasks.length === 0) return { kind: 'nothing' };
  const rewardKopecks = sumKopecks(tasks.map((task) => task.rewardKopecks));
  const reversed = { id, count: tasks.length, rewardKopecks };
  await saveReversed(tx, reversed);
  return { kind: 'reversed', ...reversed };
}
