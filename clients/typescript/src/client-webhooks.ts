import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'deleteWebhooksId'>['path']['id'];
type DeliveriesQuery = Input<'getWebhooksIdDeliveries'>['query'];

/**
 * Webhook endpoints. The service accepts no Idempotency-Key here, so create, test, rotateSecret and replay are not retried
 * when it is unknown whether they were executed: check before you repeat them.
 */
export const createWebhooks = (call: Call) => ({
  /** Creates an endpoint. Only this response contains its `secret`. Check deliveries with `verifyWebhook`. */
  create: (body: Input<'postWebhooks'>['body'], options?: CallOptions) => call('postWebhooks', { body }, options),
  list: (options?: CallOptions) => call('getWebhooks', {}, options),
  delete: (id: Id, options?: CallOptions) => call('deleteWebhooksId', { path: { id } }, options),
  /** Enables a disabled endpoint. */
  enable: (id: Id, options?: CallOptions) => call('postWebhooksIdEnable', { path: { id } }, options),
  /** Sends a test event. */
  test: (id: Id, options?: CallOptions) => call('postWebhooksIdTest', { path: { id } }, options),
  /** Returns a new secret. For a day both secrets sign. */
  rotateSecret: (id: Id, options?: CallOptions) => call('postWebhooksIdRotateSecret', { path: { id } }, options),
  /** Returns one page of deliveries with their attempts, newest first. */
  deliveries: (id: Id, query: DeliveriesQuery = {}, options?: CallOptions) =>
    call('getWebhooksIdDeliveries', { path: { id }, query }, options),
  /** Iterates over all pages. */
  allDeliveries: (id: Id, query: DeliveriesQuery = {}, options?: CallOptions) =>
    everyItem(
      (cursor = query.cursor) =>
        call('getWebhooksIdDeliveries', { path: { id }, query: { ...query, cursor } }, options),
      ({ deliveries }) => deliveries,
    ),
  /** Sends one delivery, or all since a time, again. */
  replay: (id: Id, body: Input<'postWebhooksIdReplay'>['body'], options?: CallOptions) =>
    call('postWebhooksIdReplay', { path: { id }, body }, options),
});
