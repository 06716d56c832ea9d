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
  /** Whether an administrator removed the user. */
  readonly isRemoval: boolean;
  /** Telegram's date of the change, or the time of receipt. */
  readonly at: Date;
}

export interface RecordMembershipDeps extends RecordRemovalsDeps {
  readonly membershipChecker: MembershipChecker;
}

const CHECK_TIMEOUT_MS = 4_000;

/** Stores that a user joined or left. A leave within the window reverses the reward at once. */
export async function recordMembershipUpdate(deps: RecordMembershipDeps, update: MembershipUpdate): Promise<void> {
  // Stored for every chat, because an order for it may follow later.
  await recordMemberships(deps.db, [{ ...update, source: 'update', observedAt: update.at }]);
  if (update.isMember && !update.wasMember) await releaseDated(deps, update);
  // A ban after a leave, or an unban, is not a second leave.
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

/** Releases a reward without hold that waited only for the date of the join. */
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
 * Returns the tasks that the leave reverses. Updates can be hours late: one older than the confirm reports an earlier
 * stay, and the confirm's check already saw the user back. When their order is unclear, a membership check decides.
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
  const status = await deps.membershipChecker.check(resource, update.userId, CHECK_TIMEOUT_MS);
  if (status === 'left' || status === 'removed') return concerned;
  // When the check fails, the settlement job repeats it; Telegram does not repeat the update.
  if (status !== 'member') await checkSoon(deps.db, unclear, deps.clock.now());
  return concerned.filter((task) => !unclear.includes(task));
}
