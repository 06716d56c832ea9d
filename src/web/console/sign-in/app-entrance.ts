import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../core/html.ts';
import type { Assets } from '../../../http/assets.ts';
import { networkOf } from '../../../http/client-address.ts';
import { enforceRate } from '../../../http/rate-limit.ts';
import { findAccountByTelegramUser } from '../../../modules/accounts/index.ts';
import { readInitData } from '../../../modules/links/index.ts';
import { LIFETIMES, signInByApp, type Theme } from '../../../modules/sessions/index.ts';
import type { CookieJar } from '../cookies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { frameDoor } from '../frame.ts';
import { requireSameOrigin } from '../guard.ts';
import { localPath } from '../local-path.ts';
import { formOf } from '../router.ts';
import { type Framing, setSecurityHeaders } from '../security-headers.ts';
import { TEXTS } from '../texts/index.ts';
import { languageOf } from '../visit.ts';
import { describeDevice } from './device.ts';
import { FAILED_SIGN_INS } from './link-entrance.ts';

/** Telegram makes init data when the Mini App is opened, and the page sends it at once. */
const INIT_DATA_SECONDS = 5 * 60;
const MAX_INIT_DATA = 8_192;
const HIDDEN = { schema: { hide: true } as object };

/**
 * In from inside Telegram: the page reads what Telegram put behind the `#` of its address and posts it, so it stands in no
 * log. Then on to `next`, which is a page of the console and nothing else.
 */
export function appEntrance(
  app: FastifyInstance,
  { deps, assets, jar, framed }: { deps: ConsoleDeps; assets: Assets; jar: CookieJar; framed: Framing },
): void {
  const { db } = deps;

  app.get('/console/app', HIDDEN, async (request, reply) => {
    setSecurityHeaders(reply, framed);
    const language = languageOf(request);
    const { signIn } = TEXTS[language];
    const next = localPath((request.query as Readonly<Record<string, string>>).next) ?? '/console/orders';
    const body = html`<p id="status" role="status" data-next="${next}" data-outside="${signIn.outside}" data-failed="${signIn.appFailed}">${signIn.wait}</p><noscript>${signIn.noScript}</noscript>`;
    return reply
      .type('text/html; charset=utf-8')
      .send(frameDoor(assets, { language, title: signIn.appTitle, body, script: 'console/app.ts' }));
  });

  app.post('/console/app', HIDDEN, async (request, reply) => {
    setSecurityHeaders(reply, framed);
    requireSameOrigin(request, deps.publicUrl());
    const form = formOf(request);
    const next = localPath(form.get('next')) ?? '/console/orders';
    if (await enter(request, reply, form)) return reply.send({ next });
    await enforceRate(deps.gate.limiter, reply, FAILED_SIGN_INS, networkOf(request.ip));
    return reply.code(401).send({ next: null });
  });

  async function enter(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<boolean> {
    const text = form.get('init_data') ?? '';
    if (text.length > MAX_INIT_DATA) return false;
    const rules = { botToken: deps.botToken, maxAgeSeconds: INIT_DATA_SECONDS, now: deps.clock.now() };
    const init = readInitData(text, rules);
    if (init.kind !== 'valid') return false;
    // Telegram's "reload" opens the same page with the same init data: who is in already stays in.
    if (request.visits.some(({ isInApp, owner }) => isInApp && owner.telegramUserId === init.userId)) return true;
    const account = await findAccountByTelegramUser(db, init.userId);
    if (account === undefined || account.bannedAt !== null) return false;
    const outcome = await signInByApp(db, {
      owner: { accountId: account.id, telegramUserId: init.userId },
      // The signature and not the text: the same data can be written in many orders.
      initHash: Buffer.from(new URLSearchParams(text).get('hash') ?? '', 'hex'),
      initDataSeconds: INIT_DATA_SECONDS,
      theme: themeIn(form.get('theme')),
      device: describeDevice(request.headers['user-agent']),
      operatorIds: deps.operatorIds,
      at: deps.sessionClock.now(),
    });
    if (outcome.kind === 'refused') return false;
    jar.keep(reply, 'app', outcome.token, LIFETIMES.app.longestMs / 1000);
    return true;
  }
}

const themeIn = (text: string | null): Theme | null => (text === 'light' || text === 'dark' ? text : null);
