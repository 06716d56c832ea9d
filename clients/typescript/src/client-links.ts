import { everyItem } from './pages.ts';
import type { Call, CallOptions, Input } from './transport.ts';

type Id = Input<'getLinksId'>['path']['id'];
type ListQuery = Input<'getLinks'>['query'];

/** Smart links: short links whose target depends on country, city, device and system. */
export const createLinks = (call: Call) => ({
  /** Sent with an Idempotency-Key, so that a retry does not create a second link. */
  create: (body: Input<'postLinks'>['body'], options?: CallOptions) => call('postLinks', { body }, options),
  /** Returns one page, newest first. */
  list: (query: ListQuery = {}, options?: CallOptions) => call('getLinks', { query }, options),
  /** Iterates over all pages. */
  all: (query: ListQuery = {}, options?: CallOptions) =>
    everyItem(
      (cursor = query.cursor) => call('getLinks', { query: { ...query, cursor } }, options),
      ({ links }) => links,
    ),
  get: (id: Id, options?: CallOptions) => call('getLinksId', { path: { id } }, options),
  /** Absent fields do not change; an empty `geo` removes all rules. */
  update: (id: Id, body: Input<'patchLinksId'>['body'], options?: CallOptions) =>
    call('patchLinksId', { path: { id }, body }, options),
  delete: (id: Id, options?: CallOptions) => call('deleteLinksId', { path: { id } }, options),
  /** Returns the clicks by day, country, device and system. */
  clicks: (id: Id, query: Input<'getLinksIdClicks'>['query'] = {}, options?: CallOptions) =>
    call('getLinksIdClicks', { path: { id }, query }, options),
});
