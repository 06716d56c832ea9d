import type { FastifyReply } from 'fastify';

/** Nobody may frame the console; the Mini App is framed by Telegram's web versions, in a sandbox also by its own phone. */
export type Framing = 'nobody' | 'telegram' | 'telegram_or_us';

const ANCESTORS: Readonly<Record<Framing, string>> = {
  nobody: "'none'",
  telegram: 'https://*.telegram.org',
  telegram_or_us: "https://*.telegram.org 'self'",
};

/** Everything comes from us, nothing runs that is not a file of ours, and no form leads elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** Set before anything else happens, so that refusals carry them too. */
export function setSecurityHeaders(reply: FastifyReply, framing: Framing): void {
  reply.headers({
    'Content-Security-Policy': `${POLICY}; frame-ancestors ${ANCESTORS[framing]}`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  });
  if (framing === 'nobody') reply.header('X-Frame-Options', 'DENY');
  else reply.removeHeader('X-Frame-Options');
}
