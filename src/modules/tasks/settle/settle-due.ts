import { addSeconds, systemClock } from '../../../core/clock.ts';
import { findLosses, findMemberships, type Membership, readHeard } from '../../audience/index.ts';
import { isExternal, type OrderBook, type Resource } from '../../orders/index.ts';
import type { AccessWatch } from '../access/lost-access.ts';
import { dateJoin, type Hearing, isListening, type JoinDate, mayHaveLostJoin } from '../confirm/join-date.ts';
import type { MembershipChecker } from '../membership.ts';
import { keyOf, type Task } from '../task.ts';
import { isLate, isWaitOver, leftAfterWindow, leftInWindow } from './late-check.ts';
import { type RecordRemovalsDeps, recordRemovals } from './record-removals.ts';
import { claimDueTasks } from './settle-store.ts';
import { type Finding, settleTasks } from './settle-tasks.ts';

export interface SettleDeps extends RecordRemovalsDeps {
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  readonly access: AccessWatch;
}

/** A killed worker's tasks fall due again after this long; so do those for which Telegram had no answer. */
const LEASE_SECONDS = 30;
const BATCH = 100;
const CHECK_TIMEOUT_MS = 5_000;

/** Looks at every task that is due and acts on what it finds. Answers how many it took in hand. */
export async function settleDue(deps: SettleDeps, signal?: AbortSignal): Promise<number> {
  let taken = 0;
  while (signal?.aborted !== true) {
    const now = deps.clock.now();
    const due = await claimDueTasks(deps.db, { now, leaseUntil: addSeconds(now, LEASE_SECONDS), limit: BATCH });
    if (due.length === 0) break;
    taken += due.length;
    const findings = await inspect(deps, due);
    await settleTasks(deps.db, findings, deps.clock.now());
  }
  return taken;
}

/** Tasks about which nothing could be found out are left out: their lease brings them back. */
async function inspect(deps: SettleDeps, tasks: readonly Task[]): Promise<Finding[]> {
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
  const hearing = { heard: await readHeard(deps.db), losses: await findLosses(deps.db, earliest(tasks)) };
  const knownOf = new Map(memberships.map((known) => [`${known.userId}:${known.chatId}`, known]));

  const findings = await Promise.all(
    tasks.map(async (task): Promise<Finding | undefined> => {
      const resource = resources.get(keyOf(task));
      if (resource === undefined) return undefined;
      // Silence of the advertiser's side is a no; once it has agreed, there is nobody who could be asked again.
      if (isExternal(resource)) return { ...task, stayed: task.state !== 'pending' };
      const known = knownOf.get(`${task.userId}:${resource.chatId}`);
      const stayed = await hasStayed(deps, resource, task, known);
      if (stayed !== true) return stayed === undefined ? undefined : { ...task, stayed };
      const isDated = isJoinDated(task, dateJoin(task, resource, known), hearing, deps.clock.now());
      return isDated === undefined ? undefined : { ...task, stayed, isDated };
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

/** Returns nothing while Telegram does not answer and the wait for it is not over. */
async function hasStayed(
  deps: SettleDeps,
  resource: Resource,
  task: Task,
  known: Membership | undefined,
): Promise<boolean | undefined> {
  if (task.keptAt !== null || leftAfterWindow(task, known)) return true;
  const verdict = await deps.membershipChecker.checkInTurn(resource, task.userId, CHECK_TIMEOUT_MS);
  const now = deps.clock.now();
  switch (verdict) {
    case 'member':
      return true;
    case 'removed':
      await recordRemovals(deps, [task]);
      return true;
    case 'left':
      return isLate(task, now) && !leftInWindow(task, known);
    case 'no_access':
      await deps.access.doubt([resource], task.userId);
      return isWaitOver(task, now) ? true : undefined;
    case 'unavailable':
      return isWaitOver(task, now) ? true : undefined;
  }
}

const earliest = (tasks: readonly Task[]): Date => new Date(Math.min(...tasks.map(({ shownAt }) => shownAt.getTime())));

/**
 * Whether the publisher is paid as far as the date of the join decides it; nothing while updates may still arrive that
 * tell. Updates that were lost, and a wait that takes too long, are no fault of the user.
 */
function isJoinDated(task: Task, joined: JoinDate, hearing: Hearing, now: Date): boolean | undefined {
  if (joined !== 'unknown') return joined === 'after';
  if (task.keptAt !== null || mayHaveLostJoin(task, hearing)) return true;
  const isOver = task.windowEndsAt !== null && task.windowEndsAt <= now;
  if (!isOver || isListening(hearing, systemClock.now())) return false;
  return isWaitOver({ ...task, state: 'paid' }, now) ? true : undefined;
}
