import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { findSession, type Session, type SessionKind } from '../../modules/sessions/index.ts';
import type { CookieJar } from './cookies.ts';
import type { ConsoleDeps } from './deps.ts';
import { Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';

export interface Identified {
  readonly session: Session;
  readonly kind: SessionKind;
  readonly csrf: string;
}

/**
 * Whose request it is: the sessions that its cookies open, the one that counts first. A browser may hold one of each kind; in
 * a frame it is the Mini App that asks, on a page of its own the console.
 */
export async function identify(deps: ConsoleDeps, jar: CookieJar, request: FastifyRequest): Promise<Identified[]> {
  const asking = { operatorIds: deps.operatorIds, at: deps.sessionClock.now() };
  const found: Identified[] = [];
  for (const { kind, token } of jar.read(request)) {
    const session = await findSession(deps.db, token, asking);
    // A cookie that is meant for frames opens no session that is not.
    if (session?.kind === kind) found.push({ session, kind, csrf: csrfOf(deps, token) });
  }
  return request.headers['sec-fetch-dest'] === 'iframe' ? found.reverse() : found;
}

/** Derived from the cookie, which no other site can read, and of no use for making one. */
function csrfOf({ secrets }: ConsoleDeps, token: string): string {
  return secrets.sign('console-csrf', token).toString('base64url');
}

/** Who sent a form: the session whose token it carries, so that a page in a frame and one beside it do not mix. */
export function senderOf({ visits }: FastifyRequest, form: URLSearchParams): Visit {
  if (visits.length === 0) throw new Refusal('not_signed_in');
  const sender = visits.find(({ csrf }) => isSame(form.get('csrf'), csrf));
  if (sender === undefined) throw new Refusal('foreign_form');
  return sender;
}

function isSame(sent: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Refuses what another site makes a browser send. Every browser of today says where a request comes from; one that does
 * not is told by the token in the form alone. Under our own referrer policy a form's Origin is `null`, which says nothing.
 */
export function requireSameOrigin({ headers, host }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new Refusal('foreign_form');
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return;
  const ours = [new URL(publicUrl).origin, `http://${host}`, `https://${host}`];
  if (!ours.includes(origin)) throw new Refusal('foreign_form');
}
