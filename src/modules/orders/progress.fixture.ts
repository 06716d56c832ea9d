import type { OrderProgress } from './order.ts';

/** The counters of a new order, for the unit tests of this module. */
export const untouched: OrderProgress = {
  orderId: 1,
  reservedCount: 0,
  reservedKopecks: 0n,
  countedCount: 0,
  unsettledCount: 0,
  shownTotal: 0,
  confirmedTotal: 0,
  countedToday: 0,
  countedDay: null,
  reversedTotal: 0,
  spentKopecks: 0n,
  approvedTotal: 0,
  declinedTotal: 0,
};
