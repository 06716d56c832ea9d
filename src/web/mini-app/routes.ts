import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { languageFor } from '../../core/locale.ts';
import type { SmartLinks } from '../../modules/links/index.ts';
import { MINI_APP_POLICY, miniAppPage } from './page.ts';

const VisitBody = Type.Object({
  init_data: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: 'The init data of the launch parameters, unchanged.',
  }),
  platform: Type.Optional(Type.String({ maxLength: 64, description: '`tgWebAppPlatform` of the launch parameters.' })),
});

const VisitResponse = Type.Object({
  ok: Type.Boolean(),
  redirect: Type.Optional(Type.String({ description: 'Where the link that opened the Mini App leads.' })),
});

/** The Mini App at `/app`: the page that Telegram opens, and the endpoint to which the page reports. */
export const miniAppRoutes =
  (links: Pick<SmartLinks, 'visitMiniApp'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/app', async (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', MINI_APP_POLICY)
        .header('Cache-Control', 'no-store')
        .header('Referrer-Policy', 'no-referrer')
        .header('X-Content-Type-Options', 'nosniff')
        .send(miniAppPage(languageFor(request.headers['accept-language']))),
    );

    app.post(
      '/app/visit',
      { schema: { body: VisitBody, response: { 200: VisitResponse } } },
      async (request, reply) => {
        const outcome = await links.visitMiniApp({
          initData: request.body.init_data,
          platform: request.body.platform,
          address: request.ip,
          userAgent: request.headers['user-agent'],
        });
        if (outcome.kind === 'refused') {
          throw new ApiError(
            'invalid_init_data',
            outcome.reason === 'expired'
              ? 'The init data has expired: open the Mini App again.'
              : 'The init data was not signed by Telegram for this bot.',
          );
        }
        reply.header('Cache-Control', 'no-store');
        return outcome.redirect === undefined ? { ok: true } : { ok: true, redirect: outcome.redirect };
      },
    );
  };
