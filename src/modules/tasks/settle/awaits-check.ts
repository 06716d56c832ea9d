import type { Queryable } from '../../../core/database.ts';
import { isShownAfter } from '../confirm/confirm-rules.ts';
import { findAwaitingCheck } from '../confirm/confirm-store.ts';
import { keyOf, type Task } from '../task.ts';

export interface AwaitsCheckDeps {
  readonly db: Queryable;
  /** Absent: no reward waits for the human check. */
  readonly humanCheck?: { readonly strength: number } | undefined;
}

/**
 * Returns the keys of the held tasks whose reward waits for the human check. A task shown before its user was led to the
 * check does not wait: another bot may have asked for it, and this one never showed the user a link to it.
 */
export async function findTasksAwaitingCheck(
  { db, humanCheck }: AwaitsCheckDeps,
  tasks: readonly Task[],
): Promise<ReadonlySet<string>> {
  const held = tasks.filter(({ state }) => state === 'held');
  if (humanCheck === undefined || held.length === 0) return NONE;
  const requestedAt = await findAwaitingCheck(db, [...new Set(held.map(({ userId }) => userId))], humanCheck.strength);
  return new Set(held.filter((task) => isShownAfter(requestedAt.get(task.userId), task)).map(keyOf));
}

const NONE: ReadonlySet<string> = new Set();
