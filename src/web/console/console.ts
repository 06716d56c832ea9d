import cookies from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { html } from '../../core/html.ts';
import type { Language } from '../../core/locale.ts';
import { type Assets, loadAssets } from '../../http/assets.ts';
import { networkOf } from '../../http/client-address.ts';
import { ERROR_TABLE, toApiError } from '../../http/errors.ts';
import { acceptsHtml } from '../../http/page.ts';
import { enforceRate } from '../../http/rate-limit.ts';
import { botPages } from './bots/bot-pages.ts';
import { casePages } from './cases/case-pages.ts';
import { createCookieJar } from './cookies.ts';
import type { ConsoleDeps } from './deps.ts';
import { framePage, frameSignedOutPage } from './frame.ts';
import { findSessions } from './guard.ts';
import { historyPage } from './history/history-page.ts';
import { linkPages } from './links/link-pages.ts';
import { operatorPages } from './operator/operator-pages.ts';
import { orderPages } from './orders/order-pages.ts';
import { overviewDays, overviewPage } from './overview/overview-page.ts';
import { emptyState } from './parts/elements.ts';
import { payoutPages } from './payouts/payout-pages.ts';
import { REFUSAL_STATUS, Refusal } from './refusal.ts';
import { createRouter, sendHtml } from './router.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sessionPages } from './sessions/session-pages.ts';
import { signInByApp, signInByLink } from './sign-in.ts';
import { TEXTS } from './texts/index.ts';
import { browserLanguage, createVisit, refusalText } from './visit.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

const ASSETS = new URL('../client/', import.meta.url);

const AREAS = [
  overviewPage,
  overviewDays,
  botPages,
  orderPages,
  linkPages,
  payoutPages,
  casePages,
  historyPage,
  webhookPages,
  sessionPages,
  operatorPages,
];

/** The console at `/console`: the server renders the pages, and forms are posted back. */
export function consoleRoutes(deps: ConsoleDeps): FastifyPluginAsync {
  const assets = loadAssets(ASSETS, '/console/assets');
  const jar = createCookieJar(() => deps.publicUrl().startsWith('https:'));
  const appFraming = deps.isSandbox ? 'telegram_or_self' : 'telegram';

  return async (root) => {
    await root.register(assets.routes);
    await root.register(async (app) => {
      await app.register(cookies);
      app.decorateRequest('visit', null);
      app.decorateRequest('visits');
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
        done(null, parseForm(body as string));
      });
      app.setErrorHandler((error, request, reply) =>
        sendFailure({ assets, support: deps.supportContact }, error, request, reply),
      );

      app.addHook('onRequest', async (request, reply) => {
        setSecurityHeaders(reply, 'none');
        await enforceRate(deps.gate.limiter, reply, deps.gate.perAddress, networkOf(request.ip));
        const now = deps.clock.now();
        request.visits = (await findSessions(deps, jar, request)).map((found) =>
          createVisit(request, { ...found, now }),
        );
        request.visit = request.visits[0] ?? null;
        // Telegram's web versions frame the Mini App. Without a session they must still show the message that says so.
        const isInFrame = request.headers['sec-fetch-dest'] === 'iframe';
        if (request.visit?.isInApp ?? isInFrame) setSecurityHeaders(reply, appFraming);
      });

      signInByLink(app, { deps, assets, jar });
      signInByApp(app, { deps, assets, jar, appFraming });

      const router = createRouter(app, deps, assets);
      for (const addPages of AREAS) addPages(router, deps);
      const showMissing = () => Promise.reject(new ApiError('route_not_found', 'There is no such page.'));
      router.page('/console/*', showMissing, { isForApp: true });
    });
  };
}

/** Removes zero bytes: our forms never send them, and PostgreSQL refuses them in texts. */
function parseForm(body: string): URLSearchParams {
  const clean = (text: string): string => text.replaceAll('\0', '');
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body)) form.append(clean(name), clean(value));
  return form;
}

/** Sends the page for a failed request of the console. The page tells the visitor what to do next and where to get help. */
function sendFailure(
  { assets, support }: { assets: Assets; support: ConsoleDeps['supportContact'] },
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { visit } = request;
  const language = visit?.language ?? browserLanguage(request);
  const { status, title, text } = describeFailure(language, thrown);
  if (status >= 500 && status !== 503) request.log.error({ err: thrown }, 'console page failed');
  const { errors } = TEXTS[language];
  const help =
    support !== undefined &&
    html`<p class="hint">${errors.support} <a href="${support.url}" rel="noreferrer">${support.text}</a></p>`;
  if (visit === null && !acceptsHtml(request)) {
    const code = thrown instanceof Refusal ? thrown.reason : toApiError(thrown).code;
    return reply.code(status).send({ detail: title, code, message: text });
  }
  if (visit === null || status === 401) {
    const body = html`<p>${text}</p>${help}`;
    return sendHtml(reply.code(status), frameSignedOutPage(assets, { language, title, body }));
  }
  const [path, label] = visit.session.isBanned ? ['/console/cases', errors.toCases] : ['/console', errors.toOverview];
  const toOverview = !visit.isInApp && html`<p><a class="button" href="${path}">${label}</a></p>`;
  const body = emptyState(title, text, html`${toOverview}${help}`);
  return sendHtml(reply.code(status), framePage(assets, visit, { title: String(status), body }));
}

function describeFailure(language: Language, thrown: unknown): { status: number; title: string; text: string } {
  const { errors } = TEXTS[language];
  if (thrown instanceof Refusal) return { status: REFUSAL_STATUS[thrown.reason], ...errors[thrown.reason] };
  const error = toApiError(thrown);
  const { status } = ERROR_TABLE[error.code];
  if (status === 404) return { status, ...errors.missing };
  if (status === 429) return { status, ...errors.tooFast };
  if (status >= 500) return { status, ...errors.failed };
  return { status, title: errors.refusedTitle, text: refusalText(language, error) };
}
