import { recordMemberships } from '../../audience/index.ts';
import { findResourceByChat, type Resource } from '../../orders/index.ts';
import type { MembershipChecker } from '../membership.ts';
import type { Task } from '../task.ts';
import { isInWindow, isOrderUnclear } from './late-check.ts';
import { type RecordRemovalsDeps, recordRemovals } from './record-removals.ts';
import { checkSoon, findReversibleTasks, findWaitingForJoin } from './settle-store.ts';
import { settleTasks } from './settle-tasks.ts';

export interface MembershipUpdate {
  readonly userId: number;
  readonly chatId: number;
  readonly wasMember: boolean;
  readonly isMember: boolean;
  /** Whether an administrator took the user out. */
  readonly isRemoval: boolean;
  /** When it happened, or as soon after as can be known. */
  readonly at: Date;
}

export interface RecordMembershipDeps extends RecordRemovalsDeps {
  readonly membershipChecker: MembershipChecker;
}

const CHECK_TIMEOUT_MS = 4_000;

/** Stores that a user joined or left. A leave after the confirmation and within the window takes the reward back at once. */
export async function recordMembershipUpdate(deps: RecordMembershipDeps, update: MembershipUpdate): Promise<void> {
  // Kept for every chat: one that nobody advertises today may be advertised tomorrow.
  await recordMemberships(deps.db, [{ ...update, source: 'update', observedAt: update.at }]);
  if (update.isMember && !update.wasMember) await releaseDated(deps, update);
  // Who is banned after leaving, or unbanned, does not leave a second time.
  if (update.isMember || !update.wasMember) return;
  const resource = await findResourceByChat(deps.db, update.chatId);
  if (resource === undefined) return;
  const tasks = await findReversibleTasks(deps.db, update.userId, resource.id);
  if (update.isRemoval)
    return recordRemovals(
      deps,
      tasks.filter((task) => isInWindow(task, update.at)),
    );
  const left = await findLeft(deps, resource, update, tasks);
  await settleTasks(
    deps.db,
    left.map((task) => ({ ...task, stayed: false })),
    deps.clock.now(),
  );
}

/** A reward without hold that only waited for the date of the join leaves hold when the update arrives. */
async function releaseDated(deps: RecordMembershipDeps, { userId, chatId, at }: MembershipUpdate): Promise<void> {
  const now = deps.clock.now();
  const waiting = (await findWaitingForJoin(deps.db, { userId, chatId, now })).filter(({ shownAt }) => at >= shownAt);
  await settleTasks(
    deps.db,
    waiting.map((task) => ({ ...task, stayed: true })),
    now,
  );
}

/**
 * Returns the tasks that the leave concerns. Updates can be hours late: one that is older than the confirmation tells
 * of an earlier stay, and the check of the confirmation already saw the user back. Where the order of the two is
 * unclear, Telegram is asked.
 */
async function findLeft(
  deps: RecordMembershipDeps,
  resource: Resource,
  update: MembershipUpdate,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  const concerned = tasks.filter((task) => isInWindow(task, update.at));
  const unclear = concerned.filter((task) => isOrderUnclear(task, update.at));
  if (unclear.length === 0) return concerned;
  const verdict = await deps.membershipChecker.check(resource, update.userId, CHECK_TIMEOUT_MS);
  if (verdict === 'left' || verdict === 'removed') return concerned;
  // Without an answer the settlement job asks again; the update itself will not come a second time.
  if (verdict !== 'member') await checkSoon(deps.db, unclear, deps.clock.now());
  return concerned.filter((task) => !unclear.includes(task));
}
