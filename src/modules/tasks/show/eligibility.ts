import type { Bot } from '../../bots/index.ts';
import type { Order } from '../../orders/index.ts';
import type { ShownTask } from '../task.ts';
import type { History } from '../task-list-store.ts';

/** Why an order with room is not for this bot and user, filters aside. The order is the order of asking. */
export const BARRIERS = [
  'own_order',
  'excluded_by_advertiser',
  'excluded_by_publisher',
  'already_counted',
  'already_member',
  'already_shown',
] as const;
export type Barrier = (typeof BARRIERS)[number];

export interface Asking {
  readonly bot: Bot;
  readonly history: History;
  /** Tasks that stand before the user in this bot already. */
  readonly listed: readonly ShownTask[];
  /** Chats to which the user is known to belong. */
  readonly memberOf: ReadonlyMap<number, Date>;
}

export function barrierFor(order: Order, { bot, history, listed, memberOf }: Asking): Barrier | undefined {
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
