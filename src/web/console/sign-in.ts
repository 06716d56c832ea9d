import Bowser from 'bowser';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../core/html.ts';
import type { Language } from '../../core/locale.ts';
import type { Assets } from '../../http/assets.ts';
import { networkOf } from '../../http/client-address.ts';
import { acceptsHtml } from '../../http/page.ts';
import { enforceRate, type RatePolicy } from '../../http/rate-limit.ts';
import { findAccountByTelegramUser } from '../../modules/accounts/index.ts';
import { readInitData } from '../../modules/links/index.ts';
import {
  signInByApp as createAppSession,
  endSessions,
  inspectCode,
  LIFETIMES,
  signInByCode,
  type Theme,
} from '../../modules/sessions/index.ts';
import type { CookieJar } from './cookies.ts';
import type { ConsoleDeps } from './deps.ts';
import { frameSignedOutPage } from './frame.ts';
import { findSender, requireSameOrigin } from './guard.ts';
import { localPath } from './local-path.ts';
import { hidden } from './parts/form.ts';
import { formOf, HIDDEN, sendHtml } from './router.ts';
import { type Framing, setSecurityHeaders } from './security-headers.ts';
import { TEXTS } from './texts/index.ts';
import { browserLanguage } from './visit.ts';

/**
 * Limits failed sign-ins per address. Codes cannot be guessed; the limit keeps the attempts from loading the server.
 */
const FAILED_SIGN_INS: RatePolicy = { name: 'console-sign-in', perSecond: 0.2, burst: 20 };

/** Signs in with the one-time link of the management bot, and signs out. */
export function signInByLink(
  app: FastifyInstance,
  { deps, assets, jar }: { deps: ConsoleDeps; assets: Assets; jar: CookieJar },
): void {
  const { db, gate, sessionClock } = deps;

  /** Counts failures only, so a visitor with a valid link is never limited. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, language: Language): Promise<FastifyReply> {
    await enforceRate(gate.limiter, reply, FAILED_SIGN_INS, networkOf(request.ip));
    const { signIn } = TEXTS[language];
    if (!acceptsHtml(request)) {
      const detail = 'The sign-in link is used or expired';
      const message = 'Request a new link in the management bot and open it in a browser.';
      return reply.code(403).send({ detail, code: 'invalid_sign_in_link', message });
    }
    const body = html`<p>${signIn.badLink}</p><p class="hint">${signIn.how}</p>`;
    return sendHtml(reply.code(403), frameSignedOutPage(assets, { language, title: signIn.badLinkTitle, body }));
  }

  // Opening the link does not use the code: chats and mail programs open links to show a preview.
  app.get('/console/enter', HIDDEN, async (request, reply) => {
    const code = (request.query as Readonly<Record<string, unknown>>).code;
    const owner = await inspectCode(db, typeof code === 'string' ? code : undefined, sessionClock.now());
    const language = owner?.language ?? browserLanguage(request);
    if (owner === undefined || typeof code !== 'string') return refuse(request, reply, language);
    const { signIn, common } = TEXTS[language];
    const body = html`<p>${signIn.as({ name: owner.name, account: common.accountNumber(owner.accountId) })}</p>
<form method="post" action="/console/enter" class="form">${hidden('code', code)}<div class="form-end"><button type="submit" class="primary">${signIn.button}</button></div></form>
<p class="hint">${signIn.once}</p>`;
    return sendHtml(reply, frameSignedOutPage(assets, { language, title: signIn.title, body }));
  });

  app.post('/console/enter', HIDDEN, async (request, reply) => {
    requireSameOrigin(request, deps.publicUrl());
    const outcome = await signInByCode(db, {
      code: formOf(request).get('code') ?? undefined,
      device: describeDevice(request.headers['user-agent']),
      operatorIds: deps.operatorIds,
      at: sessionClock.now(),
    });
    if (outcome.kind === 'refused') return refuse(request, reply, browserLanguage(request));
    const replaced = request.visits.find(({ isInApp }) => !isInApp);
    if (replaced !== undefined)
      await endSessions(db, { accountId: replaced.owner.accountId, sessionId: replaced.session.id });
    jar.keep(reply, 'browser', outcome.token, LIFETIMES.browser.longestMs / 1000);
    return reply.redirect('/console', 303);
  });

  app.post('/console/sign-out', HIDDEN, async (request, reply) => {
    requireSameOrigin(request, deps.publicUrl());
    const { owner, session, texts, language } = findSender(request, formOf(request));
    await endSessions(db, { accountId: owner.accountId, sessionId: session.id });
    jar.drop(reply, session.kind);
    const { signedOut, how } = texts.signIn;
    return sendHtml(reply, frameSignedOutPage(assets, { language, title: signedOut, body: html`<p>${how}</p>` }));
  });
}

/** Telegram signs init data when it opens the Mini App, and the page sends it at once. */
const INIT_DATA_SECONDS = 5 * 60;
const MAX_INIT_DATA = 8_192;

/**
 * Signs in a visitor who opens the console inside Telegram. The page reads the init data after the `#` of its address
 * and posts it, so no log contains it. Then the visitor goes to `next`, a page of the console.
 */
export function signInByApp(
  app: FastifyInstance,
  { deps, assets, jar, appFraming }: { deps: ConsoleDeps; assets: Assets; jar: CookieJar; appFraming: Framing },
): void {
  app.get('/console/app', HIDDEN, async (request, reply) => {
    setSecurityHeaders(reply, appFraming);
    const language = browserLanguage(request);
    const { signIn } = TEXTS[language];
    const next = localPath((request.query as Readonly<Record<string, string>>).next) ?? '/console/orders';
    const body = html`<p id="status" role="status" data-next="${next}" data-outside="${signIn.outside}" data-failed="${signIn.appFailed}">${signIn.wait}</p><noscript>${signIn.noScript}</noscript>`;
    const page = { language, title: signIn.appTitle, body, script: 'console/app.ts' };
    return sendHtml(reply, frameSignedOutPage(assets, page));
  });

  app.post('/console/app', HIDDEN, async (request, reply) => {
    setSecurityHeaders(reply, appFraming);
    requireSameOrigin(request, deps.publicUrl());
    const form = formOf(request);
    const next = localPath(form.get('next')) ?? '/console/orders';
    if (await signIn(request, reply, form)) return reply.send({ next });
    await enforceRate(deps.gate.limiter, reply, FAILED_SIGN_INS, networkOf(request.ip));
    return reply.code(401).send({ next: null });
  });

  async function signIn(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<boolean> {
    const text = form.get('init_data') ?? '';
    if (text.length > MAX_INIT_DATA) return false;
    const rules = { botToken: deps.botToken, maxAgeSeconds: INIT_DATA_SECONDS, now: deps.clock.now() };
    const init = readInitData(text, rules);
    if (init.kind !== 'valid') return false;
    // Telegram's "reload" sends the same init data again; a visitor with a session keeps it.
    if (request.visits.some(({ isInApp, owner }) => isInApp && owner.telegramUserId === init.userId)) return true;
    const account = await findAccountByTelegramUser(deps.db, init.userId);
    if (account === undefined || account.bannedAt !== null) return false;
    const outcome = await createAppSession(deps.db, {
      owner: { accountId: account.id, telegramUserId: init.userId },
      // The signature identifies the data; the text does not, because its fields can be in any order.
      initHash: Buffer.from(new URLSearchParams(text).get('hash') ?? '', 'hex'),
      initDataSeconds: INIT_DATA_SECONDS,
      theme: readTheme(form.get('theme')),
      device: describeDevice(request.headers['user-agent']),
      operatorIds: deps.operatorIds,
      at: deps.sessionClock.now(),
    });
    if (outcome.kind === 'refused') return false;
    jar.keep(reply, 'app', outcome.token, LIFETIMES.app.longestMs / 1000);
    return true;
  }
}

const readTheme = (text: string | null): Theme | null => (text === 'light' || text === 'dark' ? text : null);

const MAX_LENGTH = 1_000;

/** Returns `Chrome, Windows`: visitors recognise their device, and nothing more about it is stored. */
function describeDevice(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, MAX_LENGTH).trim() ?? '';
  if (text === '') return '?';
  const { browser, os } = Bowser.parse(text);
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 100) || '?';
}
