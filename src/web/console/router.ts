import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { businessDay } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import type { Assets } from '../../http/assets.ts';
import { leaveFlash, takeFlash } from '../../modules/sessions/index.ts';
import type { ConsoleDeps } from './deps.ts';
import { framePage } from './frame.ts';
import { requireSameOrigin, senderOf } from './guard.ts';
import { Refusal } from './refusal.ts';
import { explain, type Page, type Redirect, refused, type Visit } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a request to the console by somebody who is signed in. */
    visit: Visit | null;
    /** That one and, in a browser that holds two kinds of sessions, the other. */
    visits: readonly Visit[];
  }
}

interface RouteOptions {
  /** Also for sessions of the Mini App, which reach nothing else. */
  readonly isForApp?: boolean;
  readonly isForOperators?: boolean;
}

type Show = (visit: Visit) => Promise<Page>;
/** What was sent with a form. A page instead of a redirect is the form again, with what was wrong in it. */
type Act = (visit: Visit, form: URLSearchParams) => Promise<Redirect | Page>;
/** For scripts of our pages: figures while a form is being filled in. */
type Answer = (visit: Visit, form: URLSearchParams) => Promise<Readonly<Record<string, unknown>>>;

/** How an area adds its pages. Who may see them, forms and files are looked after here. */
export interface ConsoleRouter {
  page(path: string, show: Show, options?: RouteOptions): void;
  /** A refusal of a use case leads to `back` and is told there. */
  action(path: string, act: Act, options: RouteOptions & { readonly back: (visit: Visit) => string }): void;
  answer(path: string, answer: Answer, options?: RouteOptions): void;
}

export function createRouter(app: FastifyInstance, deps: ConsoleDeps, assets: Assets): ConsoleRouter {
  async function send(reply: FastifyReply, visit: Visit, page: Page): Promise<FastifyReply> {
    if (visit.csv !== undefined) return sendFile(reply, visit, page);
    const flash = await takeFlash(deps, visit.session, visit.path);
    return reply
      .code(page.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(framePage(assets, visit, page, flash));
  }

  async function follow(reply: FastifyReply, { session }: Visit, { to, flash }: Redirect): Promise<FastifyReply> {
    const [path = to] = to.split('?', 1);
    if (flash !== undefined) await leaveFlash(deps, session.id, path, flash);
    return reply.redirect(to, 303);
  }

  /** Whose form it is, after it was made sure that it is a form of theirs. */
  function received(request: FastifyRequest, options: RouteOptions): { visit: Visit; form: URLSearchParams } {
    requireSameOrigin(request, deps.publicUrl());
    const form = formOf(request);
    return { visit: admitted(senderOf(request, form), options), form };
  }

  return {
    page(path, show, options = {}) {
      app.get(path, HIDDEN, async (request, reply) => {
        const visit = admitted(request.visit, options);
        return send(reply, visit, await show(visit));
      });
    },
    action(path, act, options) {
      app.post(path, HIDDEN, async (request, reply) => {
        const { visit, form } = received(request, options);
        try {
          const outcome = await act(visit, form);
          return await ('to' in outcome ? follow(reply, visit, outcome) : send(reply, visit, outcome));
        } catch (error) {
          // What does not exist is a page of its own; anything else that was refused is told where the form was.
          if (!(error instanceof ApiError) || isMissing(error) || error.code === 'internal_error') throw error;
          return await follow(reply, visit, refused(options.back(visit), explain(visit, error)));
        }
      });
    },
    answer(path, answer, options = {}) {
      app.post(path, HIDDEN, async (request, reply) => {
        const { visit, form } = received(request, options);
        return reply.send(await answer(visit, form));
      });
    },
  };
}

const HIDDEN = { schema: { hide: true } as object };

const isMissing = ({ code }: ApiError): boolean => code.endsWith('_not_found');

function admitted(visit: Visit | null, { isForApp = false, isForOperators = false }: RouteOptions): Visit {
  if (visit === null) throw new Refusal('not_signed_in');
  if (isForOperators && !visit.isOperator) throw new Refusal('operators_only');
  if (visit.isInApp && !isForApp) throw new Refusal('not_in_app');
  return visit;
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function sendFile(reply: FastifyReply, visit: Visit, { tables = [] }: Page): FastifyReply {
  const table = visit.csv === '' ? tables[0] : tables.find(({ name }) => name === visit.csv);
  if (table === undefined) throw new ApiError('route_not_found', 'There is no such table.');
  return reply
    .type('text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="sponsorgate-${table.name}-${businessDay(visit.now)}.csv"`)
    .send(table.csv());
}
