import { readFileSync } from 'node:fs';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { type Html, html, inline } from '../../core/html.ts';
import { type Language, languageFor } from '../../core/locale.ts';
import { pagePolicy, renderDocument, sendDocument } from '../../http/page.ts';
import type { SmartLinks } from '../../modules/links/index.ts';
import { sendPrivacyPage } from './privacy.ts';

const InitData = Type.String({
  minLength: 1,
  maxLength: 8_192,
  description: 'The init data of the launch parameters, unchanged.',
});
const Platform = Type.Optional(
  Type.String({ maxLength: 64, description: '`tgWebAppPlatform` of the launch parameters.' }),
);

const VisitBody = Type.Object({ init_data: InitData, platform: Platform });

const VisitResponse = Type.Object({
  ok: Type.Boolean(),
  redirect: Type.Optional(Type.String({ description: 'Where the link that opened the Mini App leads.' })),
  challenge: Type.Optional(Type.String({ description: 'Given when the user should pass the human check first.' })),
});

const CheckBody = Type.Object({
  init_data: InitData,
  platform: Platform,
  challenge: Type.String({ maxLength: 64, description: 'From the response of /app/visit.' }),
  consent: Type.Optional(Type.Boolean({ description: 'True when the page has told the user what is stored.' })),
  // Read by the module, so that forged data is ignored and counted instead of refused.
  device: Type.Optional(Type.Unknown()),
});

const CheckResponse = Type.Object({ ok: Type.Boolean(), passed: Type.Boolean() });

interface MiniAppOptions {
  /** Called when a user has passed the human check. */
  readonly onPassed?: (userId: number) => Promise<void>;
  /** A sandbox shows the page on its own phone. */
  readonly allowsOwnFrame?: boolean;
}

/** The Mini App at `/app`: the page that Telegram opens, and the endpoints to which the page reports. */
export const miniAppRoutes =
  (
    links: Pick<SmartLinks, 'visitMiniApp' | 'checkHuman'>,
    { onPassed, allowsOwnFrame = false }: MiniAppOptions = {},
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const policy = allowsOwnFrame ? SANDBOX_POLICY : MINI_APP_POLICY;
    app.get('/app', async (request, reply) =>
      sendDocument(reply, miniAppPage(languageFor(request.headers['accept-language'])), policy),
    );

    app.get('/privacy', async (request, reply) =>
      sendPrivacyPage(reply, languageFor(request.headers['accept-language'])),
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
        if (outcome.kind === 'refused') throw refusal(outcome.reason);
        const { redirect, challenge } = outcome;
        noStore(reply);
        return { ok: true, ...(redirect !== undefined && { redirect }), ...(challenge !== undefined && { challenge }) };
      },
    );

    app.post(
      '/app/check',
      { schema: { body: CheckBody, response: { 200: CheckResponse } } },
      async (request, reply) => {
        const { body } = request;
        const outcome = await links.checkHuman({
          initData: body.init_data,
          platform: body.platform,
          challenge: body.challenge,
          hasConsent: body.consent === true,
          device: body.device,
          address: request.ip,
          userAgent: request.headers['user-agent'],
        });
        if (outcome.kind === 'refused') throw refusal(outcome.reason);
        if (outcome.isPassed) await onPassed?.(outcome.userId);
        noStore(reply);
        return { ok: true, passed: outcome.isPassed };
      },
    );
  };

function refusal(reason: 'expired' | 'invalid'): ApiError {
  return new ApiError(
    'invalid_init_data',
    reason === 'expired'
      ? 'The init data has expired: open the Mini App again.'
      : 'The init data was not signed by Telegram for this bot.',
  );
}

function noStore(reply: FastifyReply): void {
  reply.header('Cache-Control', 'no-store');
}

const SCRIPT = readFileSync(new URL('./client.js', import.meta.url), 'utf8');

const STYLE = `
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
  body { display: flex; flex-direction: column; min-height: 90vh; margin: 0; padding: 1rem; text-align: center; }
  main { margin: auto; max-width: 30rem; }
  h1 { font-size: 1.3rem; }
  h1:focus { outline: none; }
  #go, #pass { display: inline-block; padding: .7rem 2rem; border: 0; border-radius: .6rem; background: #1667c5; color: #fff;
    font: inherit; text-decoration: none; cursor: pointer; }
  #go[hidden], #check[hidden], #skip[hidden] { display: none; }
  #pass:disabled { opacity: .6; }
  :focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
  #check a { color: inherit; }
  .small { font-size: .85rem; }
  footer { font-size: .75rem; opacity: .8; }
  footer a { color: inherit; }
`;

interface CheckTexts {
  readonly title: string;
  readonly why: string;
  readonly notice: string;
  readonly more: string;
  readonly pass: string;
  readonly skip: string;
  readonly privacy: string;
}

const TEXTS: Readonly<Record<Language, CheckTexts>> = {
  ru: {
    title: 'Одна короткая проверка',
    why: 'Подтвердите, что вы человек: нажмите кнопку. Это нужно сделать один раз.',
    notice:
      'После нажатия мы сохраним на этом устройстве случайное число, а у себя — только зашифрованный отпечаток числа и адреса сети. Он удаляется через два месяца.',
    more: 'Подробнее о данных',
    pass: 'Я человек, продолжить',
    skip: 'Продолжить без проверки',
    privacy: 'Данные и приватность',
  },
  en: {
    title: 'One short check',
    why: 'Confirm that you are a person: press the button. You do this once.',
    notice:
      'When you press it, we store a random number on this device, and on our side only a keyed hash of that number and of your network address. It is deleted after two months.',
    more: 'More about your data',
    pass: 'I am a person, continue',
    skip: 'Continue without the check',
    privacy: 'Data and privacy',
  },
};

/** The check is one button, which works by touch, by keyboard and with a screen reader. */
const checkSection = (texts: CheckTexts): Html => html`<section id="check" aria-labelledby="check-title" hidden>
<h1 id="check-title" tabindex="-1">${texts.title}</h1>
<p>${texts.why}</p>
<p class="small">${texts.notice} <a href="/privacy" target="_blank" rel="noopener">${texts.more}</a></p>
<p><button id="pass" type="button" disabled>${texts.pass}</button></p>
<p class="small"><a id="skip" href="#" hidden>${texts.skip}</a></p>
</section>`;

/** The Mini App in one page without other files. The licence of DB-IP (CC BY 4.0) requires the footer. */
export const miniAppPage = (language: Language): string =>
  renderDocument({
    language,
    title: 'Sponsorgate',
    style: STYLE,
    body: html`<main><p id="status" role="status">…</p>${checkSection(TEXTS[language])}<p><a id="go" hidden></a></p></main>
<footer><a href="https://db-ip.com/">IP Geolocation by DB-IP</a> · <a href="/privacy" target="_blank" rel="noopener">${TEXTS[language].privacy}</a></footer>
${inline('script', SCRIPT)}`,
  });

const policyFor = (ancestors: string): string =>
  pagePolicy({ style: STYLE, script: SCRIPT, connect: "'self'", ancestors });

/** Only Telegram's web versions may frame the page. */
export const MINI_APP_POLICY = policyFor('https://*.telegram.org');
const SANDBOX_POLICY = policyFor("https://*.telegram.org 'self'");
