import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type Clock, formatTimestamp, lastBusinessDays } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { onceOnly } from '../accounts/index.ts';
import {
  ClicksAnswer,
  ClicksQuery,
  LinkAnswer,
  LinkChangeBody,
  LinkHeaders,
  LinkListAnswer,
  LinkListQuery,
  LinkParams,
  NewLinkBody,
} from './api-schemas.ts';
import { type ClickReport, reportClicks } from './click-store.ts';
import type { Link, LinkRule } from './link.ts';
import { changeLink, createLink, deleteLink, type LinkOutcome } from './manage-links.ts';
import { findLink, listLinks } from './store.ts';

export interface LinkApiDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** The public address of the service; known only when the server listens. */
  readonly publicUrl: () => string;
}

const PAGE = 20;
const DEFAULT_DAYS = 30;

/** The API of link owners; `routes.ts` serves the visitors. */
export const linkApiRoutes =
  ({ db, clock, publicUrl }: LinkApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', requireBeta);

    app.post(
      '/api/v1/links',
      { schema: { body: NewLinkBody, headers: LinkHeaders, response: { 201: LinkAnswer } } },
      async (request, reply) => {
        const { accountId } = callerOf(request).bot;
        const { url, name, geo } = request.body;
        const rules = rulesIn(geo);
        const at = clock.now();
        const key = request.headers['idempotency-key'];
        // The whole response is stored, so a repeat returns it even when the link was changed or deleted since.
        const answer = await onceOnly(
          db,
          { accountId, key, request: { path: '/links', url, name, geo }, at },
          async (tx) => present(saved(await createLink(tx, { accountId, url, name, rules, at }))),
        );
        return reply.code(201).send(answer);
      },
    );

    app.get(
      '/api/v1/links',
      { schema: { querystring: LinkListQuery, response: { 200: LinkListAnswer } } },
      async (request) => {
        const limit = Number(request.query.limit ?? PAGE);
        const beforeId = request.query.cursor === undefined ? undefined : Number(request.query.cursor);
        const { accountId } = callerOf(request).bot;
        // Read one row more than the page needs, to learn whether there is a next page.
        const found = await listLinks(db, { accountId, beforeId, limit: limit + 1 });
        const hasMore = found.length > limit;
        const shown = found.slice(0, limit);
        return {
          links: shown.map(present),
          next_cursor: hasMore ? String(shown.at(-1)?.id) : null,
          has_more: hasMore,
        };
      },
    );

    app.get('/api/v1/links/:id', { schema: { params: LinkParams, response: { 200: LinkAnswer } } }, async (request) =>
      present(await findOwn(request.params.id, callerOf(request).bot.accountId)),
    );

    app.patch(
      '/api/v1/links/:id',
      { schema: { params: LinkParams, body: LinkChangeBody, response: { 200: LinkAnswer } } },
      async (request) => {
        const { accountId } = callerOf(request).bot;
        const linkId = linkIdIn(request.params.id);
        const { url, name, geo } = request.body;
        const rules = rulesIn(geo);
        const link = saved(await db.transaction((tx) => changeLink(tx, { linkId, accountId, url, name, rules })));
        return present(link);
      },
    );

    app.delete('/api/v1/links/:id', { schema: { params: LinkParams } }, async (request, reply) => {
      const { accountId } = callerOf(request).bot;
      const linkId = linkIdIn(request.params.id);
      const isDeleted = await db.transaction((tx) => deleteLink(tx, { linkId, accountId, at: clock.now() }));
      if (!isDeleted) throw linkNotFound();
      return reply.code(204).send();
    });

    app.get(
      '/api/v1/links/:id/clicks',
      { schema: { params: LinkParams, querystring: ClicksQuery, response: { 200: ClicksAnswer } } },
      async (request) => {
        const { id } = await findOwn(request.params.id, callerOf(request).bot.accountId);
        const days = lastBusinessDays(Number(request.query.days ?? DEFAULT_DAYS), clock.now());
        const [from = '', to = ''] = [days[0], days.at(-1)];
        return presentClicks(await reportClicks(db, { linkId: id, from, to }), days);
      },
    );

    /** Throws also for a link of another account. */
    async function findOwn(id: string, accountId: number): Promise<Link> {
      const link = await findLink(db, { linkId: linkIdIn(id), accountId });
      if (link === undefined) throw linkNotFound();
      return link;
    }

    function present({ id, code, url, name, rules, createdAt }: Link): Static<typeof LinkAnswer> {
      return {
        link_id: id,
        code,
        short_url: `${publicUrl()}/l/${code}`,
        url,
        name,
        geo: rules as Static<typeof LinkAnswer>['geo'],
        created_at: formatTimestamp(createdAt),
      };
    }
  };

const linkNotFound = (): ApiError => new ApiError('link_not_found', 'You have no such link.');

function linkIdIn(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw linkNotFound();
}

function invalid(errors: readonly FieldError[]): ApiError {
  const named = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ApiError('validation_failed', `Check these fields: ${named}.`, { fields: errors });
}

function saved(outcome: LinkOutcome): Link {
  switch (outcome.kind) {
    case 'saved':
      return outcome.link;
    case 'invalid':
      throw invalid(outcome.errors);
    case 'not_found':
      throw linkNotFound();
  }
}

/** Converts rules for the use cases: only the given conditions, `device` as a list. */
function rulesIn(geo: Static<typeof NewLinkBody>['geo']): LinkRule[] | undefined {
  return geo?.map(({ countries, cities, device_types, device, os, url }, index) => {
    if (device !== undefined && device_types !== undefined) {
      throw invalid([{ field: `geo.${index}.device`, message: 'and device_types mean the same: send one of them' }]);
    }
    const deviceTypes = device === undefined ? device_types : [device];
    return {
      ...(countries && { countries }),
      ...(cities && { cities }),
      ...(deviceTypes && { device_types: deviceTypes }),
      ...(os && { os }),
      url,
    };
  });
}

/** Includes days without clicks, so that a chart has no gaps. */
function presentClicks(report: ClickReport, days: readonly string[]): Static<typeof ClicksAnswer> {
  const clicksOn = new Map(report.day.map(({ value, clicks }) => [value, clicks]));
  return {
    total: report.day.reduce((sum, { clicks }) => sum + clicks, 0),
    by_day: days.map((day) => ({ day, clicks: clicksOn.get(day) ?? 0 })),
    by_country: report.country.map(({ value, clicks }) => ({ country: value ?? null, clicks })),
    by_device: report.device_type.map(({ value, clicks }) => ({ device_type: value ?? null, clicks })),
    by_os: report.os.map(({ value, clicks }) => ({ os: value ?? null, clicks })),
  };
}
