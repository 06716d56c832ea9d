import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'getLinksId'>['path']['id'];
type ListQuery = Input<'getLinks'>['query'];

/** Short links that lead by country, city, device and system. */
export const createLinks = (call: Call) => ({
  /** Sent with an Idempotency-Key, so a retry makes no second link. */
  create: (body: Input<'postLinks'>['body'], options?: CallOptions) => call('postLinks', { body }, options),
  /** One page, newest first. */
  list: (query: ListQuery = {}, options?: CallOptions) => call('getLinks', { query }, options),
  /** All of them, page by page. */
  all: (query: ListQuery = {}, options?: CallOptions) =>
    everyItem(
      (cursor = query.cursor) => call('getLinks', { query: { ...query, cursor } }, options),
      ({ links }) => links,
    ),
  get: (id: Id, options?: CallOptions) => call('getLinksId', { path: { id } }, options),
  /** What is absent stays as it is; an empty `geo` takes all rules away. */
  update: (id: Id, body: Input<'patchLinksId'>['body'], options?: CallOptions) =>
    call('patchLinksId', { path: { id }, body }, options),
  delete: (id: Id, options?: CallOptions) => call('deleteLinksId', { path: { id } }, options),
  /** Clicks by day, country, device and system. */
  clicks: (id: Id, query: Input<'getLinksIdClicks'>['query'] = {}, options?: CallOptions) =>
    call('getLinksIdClicks', { path: { id }, query }, options),
});
