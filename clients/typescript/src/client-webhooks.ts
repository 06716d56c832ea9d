import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'deleteWebhooksId'>['path']['id'];
type DeliveriesQuery = Input<'getWebhooksIdDeliveries'>['query'];

/**
 * Being told of events. The service takes no Idempotency-Key here, so creating, testing, rotating and replaying are not
 * sent again when it is unknown whether they were carried out: look before you repeat them.
 */
export const createWebhooks = (call: Call) => ({
  /** Subscribes a URL; the answer's `secret` is shown this once. Check what arrives with `verifyWebhook`. */
  create: (body: Input<'postWebhooks'>['body'], options?: CallOptions) => call('postWebhooks', { body }, options),
  list: (options?: CallOptions) => call('getWebhooks', {}, options),
  delete: (id: Id, options?: CallOptions) => call('deleteWebhooksId', { path: { id } }, options),
  /** Sends to a disabled one again. */
  enable: (id: Id, options?: CallOptions) => call('postWebhooksIdEnable', { path: { id } }, options),
  /** Sends a test event. */
  test: (id: Id, options?: CallOptions) => call('postWebhooksIdTest', { path: { id } }, options),
  /** A new secret; for a day both sign. */
  rotateSecret: (id: Id, options?: CallOptions) => call('postWebhooksIdRotateSecret', { path: { id } }, options),
  /** One page of what was sent and how it was answered, newest first. */
  deliveries: (id: Id, query: DeliveriesQuery = {}, options?: CallOptions) =>
    call('getWebhooksIdDeliveries', { path: { id }, query }, options),
  /** All of it, page by page. */
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
