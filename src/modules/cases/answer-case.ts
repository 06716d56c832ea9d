import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { recordOperatorNotices } from '../notices/index.ts';
import { canAnswer, MAX_ANSWER } from './case.ts';
import { lockCase, saveAnswer } from './store.ts';

export type AnswerOutcome =
  | { readonly kind: 'answered' }
  /** Also when the case was cleared: an answer could change nothing. */
  | { readonly kind: 'too_late' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'not_found' };

/** Stores the only answer of the account's owner and notifies the operators. */
export async function answerCase(
  deps: { readonly db: Database; readonly clock: Clock; readonly operatorIds: ReadonlySet<number> },
  { caseId, accountId, text: typed }: { caseId: number; accountId: number; text: string },
): Promise<AnswerOutcome> {
  const text = typed.trim();
  if (text === '' || text.length > MAX_ANSWER) return { kind: 'invalid' };
  return deps.db.transaction(async (tx) => {
    const found = await lockCase(tx, caseId);
    if (found === undefined || found.accountId !== accountId) return { kind: 'not_found' };
    const at = deps.clock.now();
    if (!canAnswer(found) || !(await saveAnswer(tx, { caseId, text, at }))) return { kind: 'too_late' };
    const data = { case_id: caseId, case_kind: found.kind };
    await recordOperatorNotices(tx, deps.operatorIds, { kind: 'case_answered', data }, at);
    return { kind: 'answered' };
  });
}
