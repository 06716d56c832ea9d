import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { businessDay } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import type { Assets } from '../../http/assets.ts';
import { readQueues } from '../../modules/operators/index.ts';
import { leaveFlash, takeFlash } from '../../modules/sessions/index.ts';
import { countOpenItems } from '../../modules/statistics/index.ts';
import type { ConsoleDeps } from './deps.ts';
import { framePage, type Surroundings } from './frame.ts';
import { findSender, requireSameOrigin } from './guard.ts';
import { Refusal } from './refusal.ts';
import { type Page, type Redirect, refusalText, refused, type Visit } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a request to the console with a session. */
    visit: Visit | null;
    /** The visits of all sessions that the browser holds; `visit` is the first. */
    visits: readonly Visit[];
  }
}

export interface RouteOptions {
  /** Sessions of the Mini App reach only routes with this option. */
  readonly isForApp?: boolean;
  readonly isForOperators?: boolean;
  /** Owners of banned accounts reach only routes with this option. */
  readonly isForBanned?: boolean;
}

type ShowPage = (visit: Visit) => Promise<Page>;
/** Handles a form. Returns a page when the form is wrong and is shown again. */
export type HandleForm = (visit: Visit, form: URLSearchParams) => Promise<Redirect | Page>;
/** Returns a JSON document that the browser stores as a file. */
type LoadFile = (visit: Visit) => Promise<{ readonly name: string; readonly content: unknown }>;
/** Returns figures for the scripts of our pages. */
type LoadFigures = (visit: Visit, form: URLSearchParams) => Promise<Readonly<Record<string, unknown>>>;

export interface ActionOptions extends RouteOptions {
  /** The page that shows a refusal of the use case. */
  readonly back: (visit: Visit) => string;
}

/** Each area adds its pages through this router, which checks access and handles forms and files. */
export interface ConsoleRouter {
  page(path: string, show: ShowPage, options?: RouteOptions): void;
  action(path: string, handle: HandleForm, options: ActionOptions): void;
  json(path: string, load: LoadFigures, options?: RouteOptions): void;
  file(path: string, load: LoadFile, options?: RouteOptions): void;
}

/** Returns a router that adds the shared options to every route. */
export const withOptions = (router: ConsoleRouter, shared: RouteOptions): ConsoleRouter => ({
  page: (path, show, options) => router.page(path, show, { ...shared, ...options }),
  action: (path, handle, options) => router.action(path, handle, { ...shared, ...options }),
  json: (path, load, options) => router.json(path, load, { ...shared, ...options }),
  file: (path, load, options) => router.file(path, load, { ...shared, ...options }),
});

export function createRouter(app: FastifyInstance, deps: ConsoleDeps, assets: Assets): ConsoleRouter {
  async function sendPage(reply: FastifyReply, visit: Visit, page: Page): Promise<FastifyReply> {
    if (visit.csv !== undefined) return sendFile(reply, visit, page);
    const [flash, around] = await Promise.all([
      takeFlash(deps, visit.session, visit.path),
      visit.isInApp ? undefined : readSurroundings(deps, visit),
    ]);
    const shown = { flash, ...(around && { around }) };
    return sendHtml(reply.code(page.status ?? 200), framePage(assets, visit, page, shown));
  }

  async function redirect(reply: FastifyReply, { session }: Visit, { to, flash }: Redirect): Promise<FastifyReply> {
    const [path = to] = to.split('?', 1);
    if (flash !== undefined) await leaveFlash(deps, session.id, path, flash);
    return reply.redirect(to, 303);
  }

  function receiveForm(request: FastifyRequest, options: RouteOptions): { visit: Visit; form: URLSearchParams } {
    requireSameOrigin(request, deps.publicUrl());
    const form = formOf(request);
    return { visit: requireAccess(findSender(request, form), options), form };
  }

  return {
    page(path, show, options = {}) {
      app.get(path, HIDDEN, async (request, reply) => {
        const visit = requireAccess(request.visit, options);
        return sendPage(reply, visit, await show(visit));
      });
    },
    action(path, handle, options) {
      app.post(path, HIDDEN, async (request, reply) => {
        const { visit, form } = receiveForm(request, options);
        try {
          const outcome = await handle(visit, form);
          return await ('to' in outcome ? redirect(reply, visit, outcome) : sendPage(reply, visit, outcome));
        } catch (error) {
          // "Not found" has a page of its own; the page with the form shows every other refusal.
          if (!(error instanceof ApiError) || isMissing(error) || error.code === 'internal_error') throw error;
          return await redirect(reply, visit, refused(options.back(visit), refusalText(visit.language, error)));
        }
      });
    },
    file(path, load, options = {}) {
      app.get(path, HIDDEN, async (request, reply) => {
        const { name, content } = await load(requireAccess(request.visit, options));
        return reply
          .type('application/json; charset=utf-8')
          .header('Content-Disposition', `attachment; filename="${name}.json"`)
          .send(JSON.stringify(content, null, 2));
      });
    },
    json(path, load, options = {}) {
      app.post(path, HIDDEN, async (request, reply) => {
        const { visit, form } = receiveForm(request, options);
        return reply.send(await load(visit, form));
      });
    },
  };
}

async function readSurroundings(deps: ConsoleDeps, { owner, isOperator }: Visit): Promise<Surroundings> {
  const [own, queues, bot] = await Promise.all([
    countOpenItems(deps.db, owner.accountId),
    isOperator ? readQueues(deps) : undefined,
    deps.telegram.managementBot(),
  ]);
  const waiting = new Map([
    ['/console/orders', own.orders],
    ['/console/payouts', own.payouts],
    ['/console/webhooks', own.webhooks],
    ['/console/operator', queues?.deposits ?? 0],
    ['/console/operator/orders', queues?.orders ?? 0],
    ['/console/operator/payouts', queues?.payouts ?? 0],
    ['/console/operator/contests', queues?.contests ?? 0],
    ['/console/operator/cases', queues?.cases ?? 0],
  ]);
  return { waiting, botUrl: bot?.url };
}

/** Keeps the routes of the console out of the OpenAPI document. */
export const HIDDEN = { schema: { hide: true } as object };

const isMissing = ({ code }: ApiError): boolean => code.endsWith('_not_found');

function requireAccess(
  visit: Visit | null,
  { isForApp = false, isForOperators = false, isForBanned = false }: RouteOptions,
): Visit {
  if (visit === null) throw new Refusal('not_signed_in');
  if (visit.session.isBanned && !isForBanned) throw new Refusal('banned');
  if (isForOperators && !visit.isOperator) throw new Refusal('operators_only');
  if (visit.isInApp && !isForApp) throw new Refusal('not_in_app');
  return visit;
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

export const sendHtml = (reply: FastifyReply, document: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(document);

function sendFile(reply: FastifyReply, visit: Visit, { tables = [] }: Page): FastifyReply {
  const table = visit.csv === '' ? tables[0] : tables.find(({ name }) => name === visit.csv);
  if (table === undefined) throw new ApiError('route_not_found', 'There is no such table.');
  return reply
    .type('text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="sponsorgate-${table.name}-${businessDay(visit.now)}.csv"`)
    .send(table.csv());
}
