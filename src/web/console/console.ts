import cookies from '@fastify/cookie';
import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { loadAssets } from '../../http/assets.ts';
import { networkOf } from '../../http/client-address.ts';
import { enforceRate } from '../../http/rate-limit.ts';
import { botPages } from './bots/bot-pages.ts';
import { createCookieJar } from './cookies.ts';
import type { ConsoleDeps } from './deps.ts';
import { answerFailure } from './errors.ts';
import { identify } from './guard.ts';
import { historyPages } from './history/history-pages.ts';
import { linkPages } from './links/link-pages.ts';
import { operatorPages } from './operator/operator-pages.ts';
import { orderPages } from './orders/order-pages.ts';
import { overviewPage } from './overview/overview-page.ts';
import { payoutPages } from './payouts/payout-pages.ts';
import { createRouter } from './router.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sessionPages } from './sessions/session-pages.ts';
import { appEntrance } from './sign-in/app-entrance.ts';
import { linkEntrance } from './sign-in/link-entrance.ts';
import { visitOf } from './visit.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

const ASSETS = new URL('../client/', import.meta.url);

/** The console at `/console`: pages made here, forms that are posted back, and hardly any script. */
export function consoleRoutes(deps: ConsoleDeps): FastifyPluginAsync {
  const assets = loadAssets(ASSETS, '/console/assets');
  const jar = createCookieJar(() => deps.publicUrl().startsWith('https:'));
  const framed = deps.isSandbox ? 'telegram_or_us' : 'telegram';

  return async (root) => {
    await root.register(assets.routes);
    await root.register(async (app) => {
      await app.register(cookies);
      app.decorateRequest('visit', null);
      app.decorateRequest('visits');
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
        done(null, readForm(body as string));
      });
      app.setErrorHandler((error, request, reply) => answerFailure(assets, error, request, reply));

      app.addHook('onRequest', async (request, reply) => {
        setSecurityHeaders(reply, 'nobody');
        await enforceRate(deps.gate.limiter, reply, deps.gate.perAddress, networkOf(request.ip));
        const now = deps.clock.now();
        request.visits = (await identify(deps, jar, request)).map((known) => visitOf(request, { ...known, now }));
        request.visit = request.visits[0] ?? null;
        if (request.visit?.isInApp === true) setSecurityHeaders(reply, framed);
      });

      linkEntrance(app, { deps, assets, jar });
      appEntrance(app, { deps, assets, jar, framed });

      const router = createRouter(app, deps, assets);
      overviewPage(router, deps);
      botPages(router, deps);
      orderPages(router, deps);
      linkPages(router, deps);
      payoutPages(router, deps);
      historyPages(router, deps);
      webhookPages(router, deps);
      sessionPages(router, deps);
      operatorPages(router, deps);
      router.page(
        '/console/*',
        async () => {
          throw new ApiError('route_not_found', 'There is no such page.');
        },
        { isForApp: true },
      );
    });
  };
}

/** Without zero bytes: no form of ours sends one, no text has one, and PostgreSQL keeps none. */
function readForm(body: string): URLSearchParams {
  const clean = (text: string): string => text.replaceAll('\0', '');
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body)) form.append(clean(name), clean(value));
  return form;
}
