import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { type Contest, faultIn, type NewContest } from './contest.ts';
import { insertContest } from './store.ts';

export type CreateContestOutcome =
  | { readonly kind: 'created'; readonly contest: Contest }
  | { readonly kind: 'invalid'; readonly message: string };

/** An operator announces a contest. It may have begun already: what was settled since then counts. */
export async function createContest(
  { db, clock, needsApproval }: { db: Database; clock: Clock; needsApproval: boolean },
  input: NewContest,
  /** Writes, in the transaction that creates it, who did. */
  alongside?: (tx: Transaction, contest: Contest) => Promise<void>,
): Promise<CreateContestOutcome> {
  const at = clock.now();
  const message = faultIn(input, at);
  if (message !== undefined) return { kind: 'invalid', message };
  const contest = await db.transaction(async (tx) => {
    const { contest, isNew } = await insertContest(tx, { ...input, name: input.name.trim(), at, needsApproval });
    if (isNew) await alongside?.(tx, contest);
    return contest;
  });
  return { kind: 'created', contest };
}
