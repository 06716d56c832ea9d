export { announce, changeOrderStatus, type ChangeOutcome, closeFinishedOrders, pauseForLostAccess, topUpOrder, type TopUpOutcome } from './change-order.ts';
export { BOT_TOKEN_PURPOSE, createOrder, type CreateOrderOutcome, type NewOrder } from './create-order.ts';
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
