import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionKind } from '../../modules/sessions/index.ts';

/** How a session is kept in the browser. */
export interface CookieJar {
  /** Of the sessions that the browser sent, those that may be ours, in the order in which they count. */
  read(request: FastifyRequest): readonly { readonly kind: SessionKind; readonly token: string }[];
  keep(reply: FastifyReply, kind: SessionKind, token: string, seconds: number): void;
  drop(reply: FastifyReply, kind: SessionKind): void;
}

const NAMES: Readonly<Record<SessionKind, string>> = { browser: 'console', app: 'console-app' };
const KINDS: readonly SessionKind[] = ['browser', 'app'];

/**
 * Over https the name begins with `__Host-`: no other host and no plain http can set it. The Mini App's cookie has to work
 * in a frame of Telegram's web versions, so it goes cross-site there, and nowhere but there (Partitioned).
 */
export function createCookieJar(isHttps: () => boolean): CookieJar {
  const nameOf = (kind: SessionKind): string => `${isHttps() ? '__Host-' : ''}${NAMES[kind]}`;

  function attributesOf(kind: SessionKind): string {
    if (!isHttps()) return 'Path=/; HttpOnly; SameSite=Lax';
    return kind === 'browser'
      ? 'Path=/; HttpOnly; Secure; SameSite=Lax'
      : 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';
  }

  return {
    read(request) {
      const cookies = parse(request.headers.cookie);
      return KINDS.flatMap((kind) => {
        const token = cookies.get(nameOf(kind));
        return token === undefined ? [] : { kind, token };
      });
    },
    keep(reply, kind, token, seconds) {
      reply.header('Set-Cookie', `${nameOf(kind)}=${token}; Max-Age=${Math.floor(seconds)}; ${attributesOf(kind)}`);
    },
    drop(reply, kind) {
      reply.header('Set-Cookie', `${nameOf(kind)}=; Max-Age=0; ${attributesOf(kind)}`);
    },
  };
}

/** Of two cookies of one name the first counts: the browser puts the more specific one there. */
function parse(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 1) continue;
    const name = pair.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}
