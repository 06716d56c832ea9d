import { readFileSync } from 'node:fs';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { html, inline } from '../../core/html.ts';
import { type Language, languageFor } from '../../core/locale.ts';
import { pagePolicy, renderDocument, sendDocument } from '../../http/page.ts';
import type { SmartLinks } from '../../modules/links/index.ts';

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
      sendDocument(reply, miniAppPage(languageFor(request.headers['accept-language'])), MINI_APP_POLICY),
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

const SCRIPT = readFileSync(new URL('./client.js', import.meta.url), 'utf8');

const STYLE = `
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
  body { display: flex; flex-direction: column; min-height: 90vh; margin: 0; padding: 1rem; text-align: center; }
  main { margin: auto; }
  #go { display: inline-block; padding: .7rem 2rem; border-radius: .6rem; background: #2481cc; color: #fff; text-decoration: none; }
  #go[hidden] { display: none; }
  footer { font-size: .75rem; opacity: .7; }
  footer a { color: inherit; }
`;

/** The Mini App in one page without other files. The licence of DB-IP (CC BY 4.0) requires the footer. */
export const miniAppPage = (language: Language): string =>
  renderDocument({
    language,
    title: 'Sponsorgate',
    style: STYLE,
    body: html`<main><p id="status" role="status">…</p><p><a id="go" hidden></a></p></main>
<footer><a href="https://db-ip.com/">IP Geolocation by DB-IP</a></footer>
${inline('script', SCRIPT)}`,
  });

/** Only Telegram's web versions may frame the page. */
export const MINI_APP_POLICY = pagePolicy({
  style: STYLE,
  script: SCRIPT,
  connect: "'self'",
  ancestors: 'https://*.telegram.org',
});
