import type { OrderTerms } from '../../orders/index.ts';
import type { Task } from '../task.ts';
import type { DraftList, Placement, PlacementBatch } from './placement.ts';
import type { TaskSource } from './plan-tasks.ts';
import { reservationLimit } from './reservation-limit.ts';

const NEW_BOT = { reservedCount: 0, shownTotal: 0, confirmedTotal: 0, reversedTotal: 0 };

/** Returns the orders that one placement may use, and the orders that turn out to be full while it does. */
export function createTaskSource(
  { orders, bots, openSlots, reservedBy }: PlacementBatch,
  placement: Placement,
  { list, reservationsOfNewBot }: { readonly list: DraftList; readonly reservationsOfNewBot: number },
): { readonly source: TaskSource; readonly fullOrders: readonly number[] } {
  const { candidateIds, barredResources, memberResources, outsideResources, memberOf, charges } = placement;
  const { botId } = placement.request;
  const fullOrders: number[] = [];
  const limit = reservationLimit(bots.get(botId) ?? NEW_BOT, {
    ofNewBot: reservationsOfNewBot,
    isKnownToTelegram: placement.isKnownToTelegram,
  });

  const showable = (orderId: number): OrderTerms | undefined => {
    const order = orders.get(orderId);
    if (order === undefined || order.status !== 'active') return undefined;
    if (barredResources.has(order.resource.id)) return undefined;
    if (charges === undefined) return order;
    // When price or filters have changed since, this user's charge is unknown and the order waits for the next request.
    const charge = charges.get(orderId);
    if (charge === undefined || charge.orderChargeKopecks !== order.chargeKopecks) return undefined;
    return { ...order, chargeKopecks: charge.chargeKopecks };
  };
  const isMember = ({ resource }: OrderTerms): boolean =>
    memberResources.has(resource.id) || memberOf.has(resource.chatId);
  const wasMemberBefore = ({ resource }: OrderTerms, task: Task): boolean => {
    const since = memberOf.get(resource.chatId);
    return since !== undefined && since < task.shownAt;
  };
  const source: TaskSource = {
    candidates: candidateIds
      .filter((orderId) => (list.tasks.get(orderId)?.state ?? 'expired') === 'expired')
      .map(showable)
      .filter((order) => order !== undefined)
      .filter((order) => !isMember(order)),
    orderToShowAgain(task) {
      const order = showable(task.orderId);
      return order === undefined || wasMemberBefore(order, task) ? undefined : order;
    },
    hasJoinedSince(task) {
      const order = orders.get(task.orderId);
      return order !== undefined && isMember(order) && !wasMemberBefore(order, task);
    },
    isOutside: ({ resource }) => outsideResources.has(resource.id),
    reserve(order) {
      const left = openSlots.get(order.id) ?? 0;
      const reserved = reservedBy.get(botId) ?? 0;
      const isCapped = reserved >= limit;
      if (left < 1 || (left === 1 && !isCapped)) fullOrders.push(order.id);
      if (left < 1) return undefined;
      if (isCapped) return 'unreserved';
      reservedBy.set(botId, reserved + 1);
      openSlots.set(order.id, left - 1);
      return 'shown';
    },
  };
  return { source, fullOrders };
}
