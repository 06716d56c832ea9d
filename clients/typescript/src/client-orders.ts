import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'getOrdersId'>['path']['id'];
type ListQuery = Input<'getOrders'>['query'];

/** Orders. Their filters are set in the management bot. */
export const createOrders = (call: Call) => ({
  /** Creates an order, paid from your balance. Sent with an Idempotency-Key, so that a retry does not buy twice. */
  create: (body: Input<'postOrders'>['body'], options?: CallOptions) => call('postOrders', { body }, options),
  /** Returns one page, newest first. */
  list: (query: ListQuery = {}, options?: CallOptions) => call('getOrders', { query }, options),
  /** Iterates over all pages. */
  all: (query: ListQuery = {}, options?: CallOptions) =>
    everyItem(
      (cursor = query.cursor) => call('getOrders', { query: { ...query, cursor } }, options),
      ({ orders }) => orders,
    ),
  /** Returns subscriptions, spending and remainder. */
  get: (id: Id, options?: CallOptions) => call('getOrdersId', { path: { id } }, options),
  /** Stops showing the order. Tasks already shown are still paid. */
  pause: (id: Id, options?: CallOptions) => call('postOrdersIdPause', { path: { id } }, options),
  resume: (id: Id, options?: CallOptions) => call('postOrdersIdResume', { path: { id } }, options),
  /** Ends the order and refunds the rest of its money. */
  cancel: (id: Id, options?: CallOptions) => call('postOrdersIdCancel', { path: { id } }, options),
  /** Buys more subscriptions. Sent with an Idempotency-Key, so that a retry does not buy twice. */
  topUp: (id: Id, body: Input<'postOrdersIdTopUp'>['body'], options?: CallOptions) =>
    call('postOrdersIdTopUp', { path: { id }, body }, options),
});
