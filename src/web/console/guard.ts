import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { findSession, type Session } from '../../modules/sessions/index.ts';
import type { CookieJar } from './cookies.ts';
import type { ConsoleDeps } from './deps.ts';
import { Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';

export interface SignedIn {
  readonly session: Session;
  readonly csrf: string;
}

/**
 * Returns the sessions of the request's cookies; the first one decides which page is shown. A browser may hold one
 * session of each kind: a request from a frame belongs to the Mini App, any other to the console.
 */
export async function findSessions(deps: ConsoleDeps, jar: CookieJar, request: FastifyRequest): Promise<SignedIn[]> {
  const context = { operatorIds: deps.operatorIds, at: deps.sessionClock.now() };
  const found: SignedIn[] = [];
  for (const { kind, token } of jar.read(request)) {
    const session = await findSession(deps.db, token, context);
    // The cookie for frames must not open a session of the console.
    if (session?.kind === kind) found.push({ session, csrf: csrfToken(deps, token) });
  }
  return request.headers['sec-fetch-dest'] === 'iframe' ? found.reverse() : found;
}

/**
 * Derives the form token from the session token, which no other site can read. It does not reveal the session token.
 */
function csrfToken({ secrets }: ConsoleDeps, token: string): string {
  return secrets.sign('console-csrf', token).toString('base64url');
}

/** Returns the visit whose token the form carries, so that forms of the console and of the Mini App do not mix. */
export function findSender({ visits }: FastifyRequest, form: URLSearchParams): Visit {
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
 * Refuses forms that another site makes a browser send. Current browsers name the origin of a request; for older ones
 * the token in the form is the only check. Our referrer policy makes a form's Origin `null`, which proves nothing.
 */
export function requireSameOrigin({ headers, host }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new Refusal('foreign_form');
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return;
  const ours = [new URL(publicUrl).origin, `http://${host}`, `https://${host}`];
  if (!ours.includes(origin)) throw new Refusal('foreign_form');
}
