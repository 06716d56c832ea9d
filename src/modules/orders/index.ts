export {
  changeFilters,
  changeOrderStatus,
  closeFinishedOrders,
  excludeSources,
  pauseForLostAccess,
  publishOrders,
  topUpOrder,
} from './change-order.ts';
export {
  changeOwnOrder,
  moveOwnOrder,
  topUpOwnOrder,
} from './change-own-order.ts';
export { changeTimetable, type Timetable } from './change-timetable.ts';
export {
  type ChatFacts,
  findChatFacts,
  findOpenLinks,
  listChatsToFollow,
  type ResourceChat,
  replaceLinks,
  saveChatFacts,
} from './chat-store.ts';
export { BOT_TOKEN_PURPOSE, type CreateOrderOutcome, createOrder } from './create-order.ts';
export type { Postback } from './describe-orders.ts';
export { excludeSource } from './exclude-source.ts';
export { findOwnOrder, type OrderState, type OwnOrderRef, readOrderStates, readOwnOrder } from './find-own-order.ts';
export { findSealedBotToken, sampleActiveChannels } from './inspect-store.ts';
export { listModeration, type ModerateOutcome, moderateOrder, type Verdict } from './moderate-order.ts';
export { countInModeration, countOrdersByStatus, findRejectReason } from './moderation-store.ts';
export { moveOrdersToChat } from './move-orders.ts';
export {
  conversionPercent,
  isClosed,
  isExternal,
  type Order,
  type OrderProgress,
  type OrderStatus,
  type OrderTerms,
  openSlots,
  type Resource,
  type ResourceType,
  rewardFor,
  subscribersOf,
} from './order.ts';
export { type Availability, createOrderBook, type OrderBook } from './order-book.ts';
export { slotsByTimetable } from './pacing.ts';
export { pauseForLowApproval } from './pause-for-approval.ts';
export { pauseForRemovals } from './pause-for-removals.ts';
export { pauseOrdersOf } from './pause-orders.ts';
export { placeOrder } from './place-order.ts';
export { changeProgress, lockProgress, type ProgressChange, type ProgressOf, readProgress } from './progress-store.ts';
export { proveBotOwner } from './prove-bot-owner.ts';
export {
  type Resolution,
  type ResourceResolver,
  type ResourceWish,
  usernameIn,
} from './resource-resolver.ts';
export { resumeStoppedOrder, type StopOutcome, stopOrder } from './stop-order.ts';
export { findStop } from './stop-store.ts';
export {
  countPausedOrders,
  findOrders,
  findResourceByChat,
  findResources,
  findTerms,
  listOrders,
  listOrdersOfAccount,
  listOrdersPage,
} from './store.ts';
