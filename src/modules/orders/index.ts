export {
  announce,
  type ChangeOutcome,
  changeFilters,
  changeOrderStatus,
  closeFinishedOrders,
  excludeSources,
  pauseForLostAccess,
  type TopUpOutcome,
  topUpOrder,
} from './change-order.ts';
export { BOT_TOKEN_PURPOSE, type CreateOrderOutcome, createOrder, type NewOrder } from './create-order.ts';
export {
  conversionPercent,
  type Order,
  type OrderProgress,
  type OrderStatus,
  openSlots,
  type PauseReason,
  type Resource,
  type ResourceType,
} from './order.ts';
export { type Availability, type BookedOrder, createOrderBook, type OrderBook } from './order-book.ts';
export { slotsByTimetable } from './pacing.ts';
export { changeProgress, lockProgress, type ProgressChange, type ProgressOf, readProgress } from './progress-store.ts';
export { countPausedOrders, findOrders, findResourceByChat, listOrders, listOrdersOfAccount } from './store.ts';
