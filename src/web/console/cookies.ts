import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionKind } from '../../modules/sessions/index.ts';

/** Reads and writes the cookies that hold session tokens. */
export interface CookieJar {
  /** Returns the tokens of the request; the console's comes before the Mini App's. */
  read(request: FastifyRequest): readonly { readonly kind: SessionKind; readonly token: string }[];
  keep(reply: FastifyReply, kind: SessionKind, token: string, seconds: number): void;
  drop(reply: FastifyReply, kind: SessionKind): void;
}

const NAMES: Readonly<Record<SessionKind, string>> = { browser: 'console', app: 'console-app' };
const KINDS: readonly SessionKind[] = ['browser', 'app'];

/**
 * Over https the names start with `__Host-`, so neither another host nor plain http can set them. Telegram's web
 * versions open the Mini App in a frame, so its cookie is sent cross-site, limited to that frame (Partitioned).
 */
export function createCookieJar(isHttps: () => boolean): CookieJar {
  const nameOf = (kind: SessionKind): string => `${isHttps() ? '__Host-' : ''}${NAMES[kind]}`;

  function optionsOf(kind: SessionKind): CookieSerializeOptions {
    const isFramed = isHttps() && kind === 'app';
    const site = isFramed ? ({ sameSite: 'none', partitioned: true } as const) : ({ sameSite: 'lax' } as const);
    return { path: '/', httpOnly: true, secure: isHttps(), ...site };
  }

  return {
    read: ({ cookies }) =>
      KINDS.flatMap((kind) => {
        const token = cookies[nameOf(kind)];
        return token === undefined ? [] : { kind, token };
      }),
    keep(reply, kind, token, seconds) {
      reply.setCookie(nameOf(kind), token, { ...optionsOf(kind), maxAge: Math.floor(seconds) });
    },
    drop(reply, kind) {
      reply.setCookie(nameOf(kind), '', { ...optionsOf(kind), maxAge: 0 });
    },
  };
}
