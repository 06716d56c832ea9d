import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { type Contest, faultIn, type NewContest } from './contest.ts';
import { insertContest } from './store.ts';

export type CreateContestOutcome =
  | { readonly kind: 'created'; readonly contest: Contest }
  | { readonly kind: 'invalid'; readonly message: string };

/** An operator announces a contest. It may have begun already: what was settled since then counts. */
export async function createContest(
  { db, clock }: { db: Database; clock: Clock },
  input: NewContest,
): Promise<CreateContestOutcome> {
  const at = clock.now();
  const message = faultIn(input, at);
  if (message !== undefined) return { kind: 'invalid', message };
  const contest = await db.transaction((tx) => insertContest(tx, { ...input, name: input.name.trim(), at }));
  return { kind: 'created', contest };
}
