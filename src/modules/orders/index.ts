export {
  changeFilters,
  changeOrderStatus,
  changeTimetable,
  closeFinishedOrders,
  excludeSource,
  excludeSources,
  publishOrders,
  type Timetable,
  topUpOrder,
} from './change-order.ts';
export {
  changeOwnOrder,
  moveOwnOrder,
  topUpOwnOrder,
} from './change-own-order.ts';
export { BOT_TOKEN_PURPOSE, type CreateOrderOutcome, createOrder } from './create-order.ts';
export type { Postback } from './find-own-order.ts';
export { findOwnOrder, type OrderState, type OwnOrderRef, readOrderStates, readOwnOrder } from './find-own-order.ts';
export {
  listModeration,
  type ModerateOutcome,
  type Moderation,
  moderateOrder,
  resumeStoppedOrder,
  type StopOutcome,
  stopOrder,
} from './moderate-order.ts';
export { countInModeration, countOrdersByStatus, findRejectReason, findStop } from './moderation-store.ts';
export {
  conversionPercent,
  isClosed,
  isExternal,
  ORDER_STATUSES,
  type Order,
  type OrderProgress,
  type OrderStatus,
  type OrderTerms,
  openSlots,
  type Resource,
  type ResourceType,
  rewardFor,
  slotsByTimetable,
  subscribersOf,
} from './order.ts';
export { type Availability, createOrderBook, type OrderBook } from './order-book.ts';
export {
  assignChecker,
  moveOrdersToChat,
  pauseForLostAccess,
  pauseForLowApproval,
  pauseForRemovals,
  pauseOrdersOf,
} from './pause-orders.ts';
export { placeOrder, proveBotOwner } from './place-order.ts';
export { changeProgress, lockProgress, type ProgressChange, type ProgressOf, readProgress } from './progress-store.ts';
export {
  chatNamedIn,
  type RequestedResource,
  type Resolution,
  type ResourceResolver,
  usernameIn,
} from './resource-resolver.ts';
export {
  type ActiveChannel,
  type ChatFacts,
  findChatFacts,
  findOpenLinks,
  findResourceByChat,
  findResources,
  findSealedBotToken,
  listChatsToFollow,
  listResourcesOfChecker,
  type ResourceChat,
  readCheckLoads,
  replaceLinks,
  sampleActiveChannels,
  saveChatFacts,
} from './resource-store.ts';
export {
  countPausedOrders,
  findEarlierOrder,
  findOrders,
  findTerms,
  listOrders,
  listOrdersOfAccount,
  listOrdersPage,
  listRunningOrders,
  searchOrders,
} from './store.ts';
