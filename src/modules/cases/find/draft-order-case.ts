import type { Queryable } from '../../../core/database.ts';
import { type CaseDraft, type Evidence, NO_EVIDENCE } from '../case.ts';
import { readTaskExamples, type TaskFilter } from '../evidence-store.ts';

interface SuspectOrder {
  readonly kind: CaseDraft['kind'];
  readonly orderId: number;
  readonly accountId: number;
  readonly figures: Evidence['figures'];
  /** Which tasks of the order are examples. */
  readonly only: TaskFilter;
  readonly since: Date;
}

/** Returns the draft of a case about an order, with examples of its tasks. */
export async function draftOrderCase(db: Queryable, suspect: SuspectOrder): Promise<CaseDraft> {
  const { kind, orderId, accountId, figures, only, since } = suspect;
  const examples = await readTaskExamples(db, { orderIds: [orderId], only, since });
  return { kind, subject: { type: 'order', id: orderId }, accountId, evidence: { ...NO_EVIDENCE, figures, examples } };
}
