import type { FastifyReply } from 'fastify';

/**
 * Which sites may frame a page: none for the console, Telegram's web versions for the Mini App, our own phone in a
 * sandbox.
 */
export type Framing = 'none' | 'telegram' | 'telegram_or_self';

const ANCESTORS: Readonly<Record<Framing, string>> = {
  none: "'none'",
  telegram: 'https://*.telegram.org',
  telegram_or_self: "https://*.telegram.org 'self'",
};

/** Pages load our own files only, run no inline script, and send forms to us only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** Call it before the request is handled, so that refusals carry the headers too. */
export function setSecurityHeaders(reply: FastifyReply, framing: Framing): void {
  reply.headers({
    'Content-Security-Policy': `${POLICY}; frame-ancestors ${ANCESTORS[framing]}`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  });
  if (framing === 'none') reply.header('X-Frame-Options', 'DENY');
  else reply.removeHeader('X-Frame-Options');
}
