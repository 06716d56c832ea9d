import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../core/html.ts';
import type { Language } from '../../../core/locale.ts';
import type { Assets } from '../../../http/assets.ts';
import { networkOf } from '../../../http/client-address.ts';
import { enforceRate, type RatePolicy } from '../../../http/rate-limit.ts';
import { endSessions, inspectCode, LIFETIMES, signInByCode } from '../../../modules/sessions/index.ts';
import type { CookieJar } from '../cookies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { frameSignedOutPage } from '../frame.ts';
import { findSender, requireSameOrigin } from '../guard.ts';
import { hidden } from '../parts/form.ts';
import { formOf, HIDDEN, sendHtml } from '../router.ts';
import { TEXTS } from '../texts/index.ts';
import { browserLanguage } from '../visit.ts';
import { describeDevice } from './describe-device.ts';

/**
 * Limits failed sign-ins per address. Codes cannot be guessed; the limit keeps the attempts from loading the server.
 */
export const FAILED_SIGN_INS: RatePolicy = { name: 'console-sign-in', perSecond: 0.2, burst: 20 };

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
