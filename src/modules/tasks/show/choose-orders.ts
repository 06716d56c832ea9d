import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { recordMemberships } from '../../audience/index.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook, type Resource } from '../../orders/index.ts';
import { capOf, type QualityBook, type UserLimits } from '../../quality/index.ts';
import { chargeForKnown, type Facts, type UnknownCharge } from '../../targeting/index.ts';
import { reportDeniedAccess } from '../access/lost-access.ts';
import { countableLeft } from '../confirm/confirm-rules.ts';
import { readUserUse } from '../confirm/user-limits-store.ts';
import { readCountedBySource } from '../counters-store.ts';
import type { MembershipChecker } from '../membership.ts';
import { isDone, isOpen, type ShownTask } from '../task.ts';
import { barrierFor, type Connections, describeUser, type SentProfile } from './describe-user.ts';
import type { Placement, UserCharge } from './placement.ts';
import type { RoundState, TaskRequest } from './plan-tasks.ts';
import type { UserRecord } from './show-store.ts';

export interface ChooseDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  /** How long a request may wait for membership checks of its candidates. */
  readonly candidateCheckMs: number;
  readonly unknownCharge: UnknownCharge;
  readonly quality: QualityBook;
  readonly userLimits: UserLimits;
  readonly connections: Connections;
}

/** Candidates beyond the requested number. They replace orders that fill up before the tasks are written. */
const SPARE_CANDIDATES = 4;

/** Chooses the orders that may be shown to a user. Checks memberships, so no transaction may be open. */
export async function chooseOrders(
  deps: ChooseDeps,
  input: SentProfile & { readonly bot: Bot },
  found: { readonly request: TaskRequest; readonly state: RoundState<ShownTask>; readonly record: UserRecord },
): Promise<Omit<Placement, 'request' | 'packedTasks'>> {
  const { request, state, record } = found;
  const { userInBot, sent, facts } = describeUser(input, record, {
    now: request.now,
    tasks: state.tasks,
    source: deps.quality.of(request.botId),
    connections: deps.connections,
  });
  const isHidden = await hidesTasks(deps, request);
  const matching = isHidden
    ? []
    : deps.book.match(facts, request.max + SPARE_CANDIDATES, (order) => barrierFor(order, userInBot) === undefined);
  const candidates = await withinShare(deps, request.botId, matching);
  const returning = isHidden ? [] : await ordersToReturn(deps.book, request, state);
  const orders = [...returning, ...candidates];
  const checked = await checkResources(deps, request, { orders, needed: returning.length + request.max });
  return {
    sent,
    candidateIds: candidates
      .filter(({ resource }) => !needsCheck(resource) || checked.checkedResources.has(resource.id))
      .map((order) => order.id),
    barredResources: new Set([...record.history.countedResources, ...checked.deniedResources]),
    memberResources: checked.memberResources,
    outsideResources: checked.outsideResources,
    memberOf: record.memberOf,
    ...(deps.unknownCharge === 'base' && { charges: chargesFor(orders, facts) }),
    isKnownToTelegram: isKnownToTelegram(record) || checked.memberResources.size > 0,
  };
}

/** Whether the user is over a limit and the operator wants such users to see no new tasks. By default no query is made. */
export async function hidesTasks(
  { db, userLimits }: Pick<ChooseDeps, 'db' | 'userLimits'>,
  { userId, now }: Pick<TaskRequest, 'userId' | 'now'>,
): Promise<boolean> {
  if (!userLimits.hidesTasks) return false;
  const use = await readUserUse(db, { userId, now, usersPerDevice: userLimits.usersPerDevice });
  return countableLeft(use, userLimits) <= 0;
}

/** Leaves out orders of which a low source has brought its share. Only such sources cost a query; a confirm is exact. */
export async function withinShare(
  { db, quality }: Pick<ChooseDeps, 'db' | 'quality'>,
  botId: number,
  orders: readonly Order[],
): Promise<Order[]> {
  const { orderShare } = quality.of(botId);
  if (orderShare === null || orders.length === 0) return [...orders];
  const counted = await readCountedBySource(
    db,
    orders.map(({ id }) => ({ botId, orderId: id })),
  );
  return orders.filter(({ id, quantity }) => (counted.get(`${botId}:${id}`) ?? 0) < capOf(quantity, orderShare));
}

/** Returns what the user costs in each order when only the factors of known values are charged. */
function chargesFor(orders: readonly Order[], facts: Facts): ReadonlyMap<number, UserCharge> {
  return new Map(
    orders.map(({ id, priceKopecks, chargeKopecks: orderChargeKopecks, filters }) => [
      id,
      { orderChargeKopecks, chargeKopecks: chargeForKnown(priceKopecks, filters, facts) },
    ]),
  );
}

/** Whether any stored data of the user came from Telegram. A bot may invent everything that it sends, even the id. */
const isKnownToTelegram = ({ history, memberOf, stored }: UserRecord): boolean =>
  memberOf.size > 0 || history.countedResources.size > 0 || Object.keys(stored.learned).length > 0;

/** Returns the orders of the running round's expired tasks, which may be shown again. */
async function ordersToReturn(
  book: OrderBook,
  { now }: TaskRequest,
  { round, tasks }: RoundState<ShownTask>,
): Promise<Order[]> {
  if (round === undefined || round.endsAt <= now) return [];
  const expired = tasks.filter((task) => task.round === round.number && !isDone(task) && !isOpen(task, now));
  if (expired.length === 0) return [];
  return [...(await book.lookup(expired.map((task) => task.orderId))).values()];
}

/**
 * A bot may be shown only after a check: no update reports who starts another bot, so only this check tells new users
 * from old ones. Otherwise a publisher could use up the budget of checks and sell old users as new.
 */
const needsCheck = (resource: Resource): boolean => resource.type === 'bot' && !isExternal(resource);

interface CheckedResources {
  readonly memberResources: ReadonlySet<number>;
  /** The user is not a member of these. */
  readonly outsideResources: ReadonlySet<number>;
  /** Telegram denied our bot access to these. */
  readonly deniedResources: ReadonlySet<number>;
  readonly checkedResources: ReadonlySet<number>;
}

/**
 * Checks the first candidates, and the next one for each that cannot be shown, while time and budget last. An unchecked
 * channel is shown; an unchecked bot is not.
 */
async function checkResources(
  deps: ChooseDeps,
  { userId, botId, now }: TaskRequest,
  { orders, needed }: { orders: readonly Order[]; needed: number },
): Promise<CheckedResources> {
  const queue = [...new Map(orders.map((order) => [order.resource.id, order.resource])).values()];
  const deadline = performance.now() + deps.candidateCheckMs;
  const members: Resource[] = [];
  const denied: Resource[] = [];
  const outsideResources = new Set<number>();
  const checkedResources = new Set<number>();
  let showable = 0;
  while (showable < needed && queue.length > 0 && performance.now() < deadline) {
    const timeoutMs = Math.max(1, deadline - performance.now());
    const checks: Promise<void>[] = [];
    for (const resource of queue.splice(0, needed - showable)) {
      const check = deps.membershipChecker.checkIfAffordable(resource, userId, timeoutMs, botId);
      if (check === undefined) {
        if (!needsCheck(resource)) showable += 1;
        continue;
      }
      checkedResources.add(resource.id);
      checks.push(
        check.then((status) => {
          if (status === 'member') members.push(resource);
          else if (status === 'no_access') denied.push(resource);
          else {
            if (status !== 'unavailable') outsideResources.add(resource.id);
            showable += 1;
          }
        }),
      );
    }
    if (checks.length > 0) await Promise.all(checks);
  }
  await recordMemberships(
    deps.db,
    members.map(({ chatId }) => ({ userId, chatId, isMember: true, source: 'check' as const, observedAt: now })),
  );
  if (denied.length > 0) await reportDeniedAccess(deps, denied, userId);
  return { memberResources: idsOf(members), outsideResources, deniedResources: idsOf(denied), checkedResources };
}

const idsOf = (resources: readonly Resource[]): ReadonlySet<number> => new Set(resources.map(({ id }) => id));
