import type { BatcherOf } from '../../../core/batcher.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook } from '../../orders/index.ts';
import type { QualityBook, UserLimits } from '../../quality/index.ts';
import { reportDeniedAccess } from '../access/lost-access.ts';
import type { MembershipChecker, MembershipStatus } from '../membership.ts';
import type { Connections } from '../show/describe-user.ts';
import { isDone } from '../task.ts';
import { type ConfirmOutcome, countableLeft, dateJoin, decideBeforeCheck } from './confirm-rules.ts';
import type { readConfirmFacts } from './confirm-store.ts';
import type { InFlight } from './in-flight.ts';
import type { recordConfirms } from './record-confirms.ts';

export interface ConfirmDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  readonly quality: QualityBook;
  readonly userLimits: UserLimits;
  readonly confirmReads: BatcherOf<typeof readConfirmFacts>;
  readonly confirms: BatcherOf<typeof recordConfirms>;
  readonly connections: Connections;
  readonly inFlight: InFlight;
}

export interface ConfirmInput {
  readonly bot: Bot;
  readonly userId: number;
  readonly orderIds: readonly number[];
  /** Trusts joins that updates reported, and checks others only if the bot's budget has a check left now. */
  readonly isQuick?: boolean;
}

/** How long a confirm may wait for Telegram, a short flood wait included. */
const CHECK_TIMEOUT_MS = 4_000;

/** Confirms tasks of one user. Returns one outcome per order id, in order. */
export async function confirmTasks(deps: ConfirmDeps, input: ConfirmInput): Promise<ConfirmOutcome[]> {
  const orders = await deps.book.lookup([...new Set(input.orderIds)]);
  return deps.inFlight.during(input.userId, input.orderIds.length, () =>
    Promise.all(
      input.orderIds.map(async (orderId): Promise<ConfirmOutcome> => {
        const order = orders.get(orderId);
        return order === undefined ? { kind: 'order_not_found' } : confirmTask(deps, input, order);
      }),
    ),
  );
}

async function confirmTask(deps: ConfirmDeps, input: ConfirmInput, order: Order): Promise<ConfirmOutcome> {
  const { bot, userId } = input;
  const key = { userId, botId: bot.id, orderId: order.id };
  const readAt = deps.clock.now();
  const facts = await deps.confirmReads.submit({ ...key, chatId: order.resource.chatId, now: readAt });
  const { task } = facts;
  const isOver = task !== undefined && task.confirmUntil !== null && task.confirmUntil <= deps.clock.now();
  const early = decideBeforeCheck(task, { isBanned: facts.isBanned, isOver });
  if (early !== 'check' || task === undefined) return early === 'check' ? { kind: 'not_shown' } : early;

  const awaitsProvider = isExternal(order.resource);
  const status = awaitsProvider ? 'member' : await checkMembership(deps, input, order, facts.isMemberByUpdate);
  switch (status) {
    case 'left':
    case 'removed':
      return { kind: 'not_subscribed' };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'no_access':
      await reportDeniedAccess(deps, [order.resource], userId);
      return { kind: 'unavailable' };
    case 'member': {
      const joined = dateJoin(task, order.resource, facts);
      const { holdSeconds, extendsWindow, orderShare } = deps.quality.of(bot.id);
      return deps.confirms.submit({
        ...key,
        wasMemberBefore: joined === 'before',
        isSelfDealing: deps.connections.of(bot.accountId).has(order.accountId),
        isDated: joined === 'after' && !facts.awaitsCheck,
        awaitsProvider,
        wasDecided: isDone(task),
        advertiserId: order.accountId,
        leastHoldSeconds: holdSeconds,
        extendsWindow,
        orderShare,
        countableLeft: countableLeft(facts.use, deps.userLimits),
        readAt,
        inFlight: deps.inFlight.of(userId),
        now: deps.clock.now(),
      });
    }
  }
}

async function checkMembership(
  { membershipChecker }: ConfirmDeps,
  { bot, userId, isQuick = false }: ConfirmInput,
  { resource }: Order,
  isMemberByUpdate: boolean,
): Promise<MembershipStatus> {
  const { check, checkKnownMember, checkIfAffordable } = membershipChecker;
  if (isQuick && isMemberByUpdate) return 'member';
  if (isQuick) return (await checkIfAffordable(resource, userId, CHECK_TIMEOUT_MS, bot.id)) ?? 'unavailable';
  return isMemberByUpdate
    ? checkKnownMember(resource, userId, CHECK_TIMEOUT_MS, bot.id)
    : check(resource, userId, CHECK_TIMEOUT_MS);
}
