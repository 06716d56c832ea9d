import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordMemberships } from '../../audience/index.ts';
import { recordNotices, recordOperatorNotices } from '../../notices/index.ts';
import { findResourceByChat, lockProgress, pauseForRemovals, type Resource } from '../../orders/index.ts';
import { keepTasks } from '../access/access-store.ts';
import type { MembershipChecker } from '../membership.ts';
import { keyOf, type Task, type TaskKey } from '../task.ts';
import { type AwaitsCheckDeps, findTasksAwaitingCheck } from './awaits-check.ts';
import { isInWindow, isOrderUnclear } from './late-check.ts';
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

export interface RecordMembershipDeps extends RecordRemovalsDeps, Pick<AwaitsCheckDeps, 'humanCheck'> {
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
  const awaiting = await findTasksAwaitingCheck(deps, waiting);
  await settleTasks(
    deps.db,
    waiting.filter((task) => !awaiting.has(keyOf(task))).map((task) => ({ ...task, stayed: true })),
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

export interface RecordRemovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly operatorIds: ReadonlySet<number>;
}

/**
 * Protects the rewards of users whom an administrator removed within the window. Otherwise an advertiser could ban all
 * subscribers in the last minute and pay nothing. Orders with repeated removals pause; owners and operators get notices.
 */
export async function recordRemovals(deps: RecordRemovalsDeps, keys: readonly TaskKey[]): Promise<void> {
  if (keys.length === 0) return;
  await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const orderIds = await keepTasks(tx, keys, now);
    if (orderIds.length === 0) return;
    await lockProgress(tx, [...new Set(orderIds)]);
    for (const { order, removals } of await pauseForRemovals(tx, orderIds)) {
      const data = { order_id: order.id, title: order.title, removals };
      await recordNotices(tx, [{ accountId: order.accountId, kind: 'order_removals', data }], now);
      await recordOperatorNotices(tx, deps.operatorIds, { kind: 'order_removals', data }, now);
    }
  });
}
