import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'getOrdersId'>['path']['id'];
type ListQuery = Input<'getOrders'>['query'];

/** Buying subscribers. Filters are set in the management bot. */
export const createOrders = (call: Call) => ({
  /** Creates an order, paid from your balance; sent with an Idempotency-Key, so a retry never buys twice. */
  create: (body: Input<'postOrders'>['body'], options?: CallOptions) => call('postOrders', { body }, options),
  /** One page, newest first. */
  list: (query: ListQuery = {}, options?: CallOptions) => call('getOrders', { query }, options),
  /** All of them, page by page. */
  all: (query: ListQuery = {}, options?: CallOptions) =>
    everyItem(
      (cursor = query.cursor) => call('getOrders', { query: { ...query, cursor } }, options),
      ({ orders }) => orders,
    ),
  /** Subscriptions, spending, remainder. */
  get: (id: Id, options?: CallOptions) => call('getOrdersId', { path: { id } }, options),
  /** Stops showing it; tasks made are still paid. */
  pause: (id: Id, options?: CallOptions) => call('postOrdersIdPause', { path: { id } }, options),
  resume: (id: Id, options?: CallOptions) => call('postOrdersIdResume', { path: { id } }, options),
  /** Ends it and gives the rest of the money back. */
  cancel: (id: Id, options?: CallOptions) => call('postOrdersIdCancel', { path: { id } }, options),
  /** Buys more subscriptions; sent with an Idempotency-Key, so a retry never buys twice. */
  topUp: (id: Id, body: Input<'postOrdersIdTopUp'>['body'], options?: CallOptions) =>
    call('postOrdersIdTopUp', { path: { id }, body }, options),
});
