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
export type { Postback } from './describe-orders.ts';
export {
  conversionPercent,
  isExternal,
  type Order,
  type OrderProgress,
  type OrderStatus,
  openSlots,
  type PauseReason,
  type Resource,
  type ResourceType,
  subscribersOf,
} from './order.ts';
export { type Availability, type BookedOrder, createOrderBook, type OrderBook } from './order-book.ts';
export { slotsByTimetable } from './pacing.ts';
export { changeProgress, lockProgress, type ProgressChange, type ProgressOf, readProgress } from './progress-store.ts';
export {
  type Resolution,
  type ResolvedResource,
  type ResourceResolver,
  type ResourceWish,
  usernameIn,
} from './resource-resolver.ts';
export { countPausedOrders, findOrders, findResourceByChat, listOrders, listOrdersOfAccount } from './store.ts';
