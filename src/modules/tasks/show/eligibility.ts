import type { Bot } from '../../bots/index.ts';
import type { Order } from '../../orders/index.ts';
import type { ShownTask } from '../task.ts';
import type { History } from './show-store.ts';

/** Reasons not to show an order with free slots, apart from its filters, in the order in which they are checked. */
export const BARRIERS = [
  'own_order',
  'excluded_by_advertiser',
  'excluded_by_publisher',
  'already_counted',
  'already_member',
  'already_shown',
] as const;
export type Barrier = (typeof BARRIERS)[number];

/** The data about a user in a bot that bars orders. */
export interface UserInBot {
  readonly bot: Bot;
  readonly history: History;
  /** The open tasks of the user in this bot. */
  readonly listed: readonly ShownTask[];
  /** The chats that the user is a member of, with the first time the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
}

export function barrierFor(order: Order, { bot, history, listed, memberOf }: UserInBot): Barrier | undefined {
  if (order.accountId === bot.accountId) return 'own_order';
  if (order.excludedBotIds.has(bot.id)) return 'excluded_by_advertiser';
  if (bot.excludedOrderIds.has(order.id) || bot.excludedResourceTypes.has(order.resource.type)) {
    return 'excluded_by_publisher';
  }
  if (history.countedResources.has(order.resource.id)) return 'already_counted';
  if (memberOf.has(order.resource.chatId)) return 'already_member';
  if (history.doneOrders.has(order.id) || history.doneResources.has(order.resource.id)) return 'already_shown';
  const isListed = listed.some((task) => task.orderId === order.id || task.resourceId === order.resource.id);
  return isListed ? 'already_shown' : undefined;
}
