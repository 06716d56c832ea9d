import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../core/html.ts';
import type { Language } from '../../../core/locale.ts';
import type { Assets } from '../../../http/assets.ts';
import { networkOf } from '../../../http/client-address.ts';
import { enforceRate, type RatePolicy } from '../../../http/rate-limit.ts';
import { endSessions, inspectCode, LIFETIMES, signInByCode } from '../../../modules/sessions/index.ts';
import type { CookieJar } from '../cookies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { frameDoor } from '../frame.ts';
import { requireSameOrigin, senderOf } from '../guard.ts';
import { hidden } from '../parts/form.ts';
import { formOf } from '../router.ts';
import { TEXTS } from '../texts/index.ts';
import { languageOf } from '../visit.ts';
import { describeDevice } from './device.ts';

/** Links that do not work, from one address. Codes cannot be guessed; this keeps the attempts from being a load. */
export const FAILED_SIGN_INS: RatePolicy = { name: 'console-sign-in', perSecond: 0.2, burst: 20 };

const HIDDEN = { schema: { hide: true } as object };

/** In by the one-time link of the management bot, and out again. */
export function linkEntrance(
  app: FastifyInstance,
  { deps, assets, jar }: { deps: ConsoleDeps; assets: Assets; jar: CookieJar },
): void {
  const { db, gate, sessionClock } = deps;

  /** Counts only what fails: whoever has a good link is let in, however often. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, language: Language): Promise<FastifyReply> {
    await enforceRate(gate.limiter, reply, FAILED_SIGN_INS, networkOf(request.ip));
    const { signIn } = TEXTS[language];
    const body = html`<p>${signIn.badLink}</p><p class="hint">${signIn.how}</p>`;
    return page(reply.code(403), frameDoor(assets, { language, title: signIn.badLinkTitle, body }));
  }

  // Looking at the link does not use it up: chats and mail programs follow links to show what is behind them.
  app.get('/console/enter', HIDDEN, async (request, reply) => {
    const code = (request.query as Readonly<Record<string, unknown>>).code;
    const owner = await inspectCode(db, typeof code === 'string' ? code : undefined, sessionClock.now());
    const language = owner?.language ?? languageOf(request);
    if (owner === undefined || typeof code !== 'string') return refuse(request, reply, language);
    const { signIn, common } = TEXTS[language];
    const body = html`<p>${signIn.as({ name: owner.name, account: common.accountNumber(owner.accountId) })}</p>
<form method="post" action="/console/enter" class="form">${hidden('code', code)}<div class="form-end"><button type="submit" class="primary">${signIn.button}</button></div></form>
<p class="hint">${signIn.once}</p>`;
    return page(reply, frameDoor(assets, { language, title: signIn.title, body }));
  });

  app.post('/console/enter', HIDDEN, async (request, reply) => {
    requireSameOrigin(request, deps.publicUrl());
    const outcome = await signInByCode(db, {
      code: formOf(request).get('code') ?? undefined,
      device: describeDevice(request.headers['user-agent']),
      operatorIds: deps.operatorIds,
      at: sessionClock.now(),
    });
    if (outcome.kind === 'refused') return refuse(request, reply, languageOf(request));
    const before = request.visits.find(({ isInApp }) => !isInApp);
    if (before !== undefined)
      await endSessions(db, { accountId: before.owner.accountId, sessionId: before.session.id });
    jar.keep(reply, 'browser', outcome.token, LIFETIMES.browser.longestMs / 1000);
    return reply.redirect('/console', 303);
  });

  app.post('/console/sign-out', HIDDEN, async (request, reply) => {
    requireSameOrigin(request, deps.publicUrl());
    const visit = senderOf(request, formOf(request));
    await endSessions(db, { accountId: visit.owner.accountId, sessionId: visit.session.id });
    jar.drop(reply, visit.session.kind);
    const { signIn } = visit.texts;
    const body = html`<p>${signIn.how}</p>`;
    return page(reply, frameDoor(assets, { language: visit.language, title: signIn.signedOut, body }));
  });
}

const page = (reply: FastifyReply, document: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(document);
