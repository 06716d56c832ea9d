import { systemClock } from '../../../core/clock.ts';
import { waitAtMost } from '../../../core/wait-at-most.ts';
import { findLosses, findMemberships, type Membership, readHeard } from '../../audience/index.ts';
import { isExternal, type OrderBook, type Resource } from '../../orders/index.ts';
import { reportDeniedAccess } from '../access/lost-access.ts';
import { dateJoin, isUpToDate, type JoinDate, mayHaveLostJoin, type UpdateIntake } from '../confirm/confirm-rules.ts';
import type { MembershipChecker } from '../membership.ts';
import { keyOf, type Task } from '../task.ts';
import { type AwaitsCheckDeps, findTasksAwaitingCheck } from './awaits-check.ts';
import { isLate, isWaitOver, leftAfterWindow, leftInWindow } from './late-check.ts';
import { type RecordRemovalsDeps, recordRemovals } from './record-membership.ts';
import { leaseDueTasks } from './settle-store.ts';
import { type Settlement, settleTasks } from './settle-tasks.ts';

export interface SettleDeps extends RecordRemovalsDeps, Pick<AwaitsCheckDeps, 'humanCheck'> {
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  /** Returns the checker bots. Absent or empty: the management bot checks alone. */
  readonly checkerIds?: (() => readonly number[]) | undefined;
}

const BATCH = 100;
const CHECK_TIMEOUT_MS = 5_000;
/** Two loops per bot: one leases and writes while the checks of the other use the bot's budget. */
const LOOPS_PER_BOT = 2;
const IDLE_MS = 1_000;

/** Checks every due task and settles or reverses it. Returns how many were due. */
export async function settleDueTasks(deps: SettleDeps, signal?: AbortSignal): Promise<number> {
  const checkerIds = deps.checkerIds?.() ?? [];
  if (checkerIds.length === 0) return settleInLoop(deps, undefined, async () => false, signal);

  // Each bot has its own loops. In a common batch every bot would wait for the one with the most tasks.
  const loops = [null, ...checkerIds].flatMap((id) => Array.from({ length: LOOPS_PER_BOT }, () => id));
  let idle = 0;
  const { promise: allIdle, resolve: endAll } = Promise.withResolvers<void>();
  const rest = (): void => {
    idle += 1;
    if (idle >= loops.length) endAll();
  };
  /** A loop without due tasks stays as long as another one works, because its next task may fall due meanwhile. */
  const waitWhileOthersWork = async (): Promise<boolean> => {
    rest();
    await waitAtMost(IDLE_MS, allIdle, signal);
    if (idle >= loops.length) return false;
    idle -= 1;
    return true;
  };
  const results = await Promise.allSettled(
    loops.map(async (checkerId) => {
      try {
        return await settleInLoop(deps, checkerId, waitWhileOthersWork, signal);
      } catch (error) {
        rest();
        throw error;
      }
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
}

/** Settles the due tasks of one bot's channels; `checkerId` undefined: those of all. */
async function settleInLoop(
  deps: SettleDeps,
  checkerId: number | null | undefined,
  waitsForMore: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let taken = 0;
  while (signal?.aborted !== true) {
    const due = await leaseDueTasks(deps.db, { now: deps.clock.now(), limit: BATCH, checkerId });
    if (due.length === 0) {
      if (await waitsForMore()) continue;
      break;
    }
    taken += due.length;
    await settleTasks(deps.db, await checkTasks(deps, due), deps.clock.now());
  }
  return taken;
}

/** Leaves out tasks whose check failed: they fall due again after their lease. */
async function checkTasks(deps: SettleDeps, tasks: readonly Task[]): Promise<Settlement[]> {
  const orders = await deps.book.lookup([...new Set(tasks.map((task) => task.orderId))]);
  const resources = new Map<string, Resource>();
  for (const task of tasks) {
    const order = orders.get(task.orderId);
    if (order !== undefined) resources.set(keyOf(task), order.resource);
  }
  const memberships = await findMemberships(
    deps.db,
    tasks.flatMap((task) => {
      const chatId = resources.get(keyOf(task))?.chatId;
      return chatId === undefined ? [] : [{ userId: task.userId, chatId }];
    }),
  );
  const [heard, losses] = [await readHeard(deps.db), await findLosses(deps.db, firstShowing(tasks))];
  /** The updates of the bot that serves the resource. */
  const intakeOf = ({ checkerId = null }: Resource): UpdateIntake => ({
    lastFetch: heard.get(checkerId),
    losses: losses.filter(({ of }) => of === checkerId),
  });
  const membershipOf = new Map(
    memberships.map((membership) => [`${membership.userId}:${membership.chatId}`, membership]),
  );

  const awaiting = await findTasksAwaitingCheck(deps, tasks);

  const settlements = await Promise.all(
    tasks.map(async (task): Promise<Settlement | undefined> => {
      const resource = resources.get(keyOf(task));
      if (resource === undefined) return undefined;
      // A pending task that falls due got no decision, which counts as a refusal. An approved one needs no further check.
      if (isExternal(resource)) return { ...task, stayed: task.state !== 'pending' };
      const membership = membershipOf.get(`${task.userId}:${resource.chatId}`);
      const stayed = await hasStayed(deps, resource, task, membership);
      if (stayed !== true) return stayed === undefined ? undefined : { ...task, stayed };
      const isDated = isJoinDated(task, dateJoin(task, resource, membership), intakeOf(resource), deps.clock.now());
      return isDated === undefined ? undefined : { ...task, stayed, isDated, awaitsCheck: awaiting.has(keyOf(task)) };
    }),
  );
  return settlements.filter((settlement) => settlement !== undefined);
}

/** Returns undefined while the check fails and the wait for Telegram is not over. */
async function hasStayed(
  deps: SettleDeps,
  resource: Resource,
  task: Task,
  membership: Membership | undefined,
): Promise<boolean | undefined> {
  if (task.keptAt !== null || leftAfterWindow(task, membership)) return true;
  const status = await deps.membershipChecker.checkInTurn(resource, task.userId, CHECK_TIMEOUT_MS);
  const now = deps.clock.now();
  switch (status) {
    case 'member':
      return true;
    case 'removed':
      await recordRemovals(deps, [task]);
      return true;
    case 'left':
      return isLate(task, now) && !leftInWindow(task, membership);
    case 'no_access':
      await reportDeniedAccess(deps, [resource], task.userId);
      return isWaitOver(task, now) ? true : undefined;
    case 'unavailable':
      return isWaitOver(task, now) ? true : undefined;
  }
}

const firstShowing = (tasks: readonly Task[]): Date =>
  new Date(Math.min(...tasks.map(({ shownAt }) => shownAt.getTime())));

/**
 * Whether the join counts as dated after the showing. Returns undefined while its update may still arrive. Lost updates
 * and a long outage count for the publisher.
 */
function isJoinDated(task: Task, joined: JoinDate, intake: UpdateIntake, now: Date): boolean | undefined {
  if (joined !== 'unknown') return joined === 'after';
  if (task.keptAt !== null || mayHaveLostJoin(task, intake)) return true;
  const isOver = task.windowEndsAt !== null && task.windowEndsAt <= now;
  if (!isOver || isUpToDate(intake, systemClock.now())) return false;
  return isWaitOver({ ...task, state: 'paid' }, now) ? true : undefined;
}
