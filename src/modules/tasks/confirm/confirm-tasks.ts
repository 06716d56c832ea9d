import type { Batcher } from '../../../core/batcher.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook } from '../../orders/index.ts';
import type { AccessWatch } from '../access/lost-access.ts';
import type { MembershipChecker } from '../membership.ts';
import { isDone } from '../task.ts';
import { type ConfirmOutcome, decideBeforeCheck } from './confirm-rules.ts';
import type { ConfirmFacts, ConfirmKey } from './confirm-store.ts';
import { dateJoin } from './join-date.ts';
import type { MemberConfirm } from './record-confirms.ts';

export interface ConfirmDeps {
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  readonly access: AccessWatch;
  readonly tasks: Batcher<ConfirmKey, ConfirmFacts>;
  readonly confirms: Batcher<MemberConfirm, ConfirmOutcome>;
}

export interface ConfirmInput {
  readonly bot: Bot;
  readonly userId: number;
  readonly orderIds: readonly number[];
}

/** How long a confirm may wait for Telegram, a short flood wait included. */
const CHECK_TIMEOUT_MS = 4_000;

/** Confirms tasks of one user; answers one outcome per id, in order. */
export async function confirmSubscriptions(deps: ConfirmDeps, input: ConfirmInput): Promise<ConfirmOutcome[]> {
  const orders = await deps.book.lookup([...new Set(input.orderIds)]);
  return Promise.all(
    input.orderIds.map(async (orderId): Promise<ConfirmOutcome> => {
      const order = orders.get(orderId);
      return order === undefined ? { kind: 'order_not_found' } : confirmOne(deps, input, order);
    }),
  );
}

async function confirmOne(deps: ConfirmDeps, { bot, userId }: ConfirmInput, order: Order): Promise<ConfirmOutcome> {
  const key = { userId, botId: bot.id, orderId: order.id };
  const known = await deps.tasks.submit({ ...key, chatId: order.resource.chatId });
  const { task } = known;
  const isOver = task !== undefined && task.confirmUntil !== null && task.confirmUntil <= deps.clock.now();
  const before = decideBeforeCheck(task, { isBanned: known.isBanned, isOver });
  if (before !== 'check' || task === undefined) return before === 'check' ? { kind: 'not_shown' } : before;

  const awaitsProvider = isExternal(order.resource);
  const ask = known.isMemberByUpdate ? deps.membershipChecker.checkKnownMember : deps.membershipChecker.check;
  const verdict = awaitsProvider ? 'member' : await ask(order.resource, userId, CHECK_TIMEOUT_MS, bot.id);
  switch (verdict) {
    case 'left':
    case 'removed':
      return { kind: 'not_subscribed' };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'no_access':
      await deps.access.doubt([order.resource], userId);
      return { kind: 'unavailable' };
    case 'member': {
      const joined = dateJoin(task, order.resource, known);
      return deps.confirms.submit({
        ...key,
        wasMemberBefore: joined === 'before',
        isDated: joined === 'after',
        awaitsProvider,
        wasDecided: isDone(task),
        advertiserId: order.accountId,
        now: deps.clock.now(),
      });
    }
  }
}
