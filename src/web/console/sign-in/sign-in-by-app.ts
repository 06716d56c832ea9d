import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../core/html.ts';
import type { Assets } from '../../../http/assets.ts';
import { networkOf } from '../../../http/client-address.ts';
import { enforceRate } from '../../../http/rate-limit.ts';
import { findAccountByTelegramUser } from '../../../modules/accounts/index.ts';
import { readInitData } from '../../../modules/links/index.ts';
import { signInByApp as createAppSession, LIFETIMES, type Theme } from '../../../modules/sessions/index.ts';
import type { CookieJar } from '../cookies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { frameSignedOutPage } from '../frame.ts';
import { requireSameOrigin } from '../guard.ts';
import { localPath } from '../local-path.ts';
import { formOf, HIDDEN, sendHtml } from '../router.ts';
import { type Framing, setSecurityHeaders } from '../security-headers.ts';
import { TEXTS } from '../texts/index.ts';
import { browserLanguage } from '../visit.ts';
import { describeDevice } from './describe-device.ts';
import { FAILED_SIGN_INS } from './sign-in-by-link.ts';

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
