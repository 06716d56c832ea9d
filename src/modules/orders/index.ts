export {
  announce,
  type ChangeOutcome,
  changeOrderStatus,
  closeFinishedOrders,
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
export { createOrderBook, type OrderBook } from './order-book.ts';
export { changeProgress, lockProgress, type ProgressChange, type ProgressOf, readProgress } from './progress-store.ts';
export { findOrders, findResourceByChat, listOrders, listOrdersOfAccount } from './store.ts';
