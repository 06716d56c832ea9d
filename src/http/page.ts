import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, inline } from '../core/html.ts';
import type { Language } from '../core/locale.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where people get help; pages name it. */
    supportContact?: { readonly text: string; readonly url: string } | undefined;
  }
}

/** Returns whether a person's browser sent the request. Programs accept any type or JSON and never name HTML. */
export const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(headers.accept ?? '');

/** Returns whether a browser opens the address itself; its scripts call the API with other methods. */
export function wantsPage(request: FastifyRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && acceptsHtml(request);
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns a Content-Security-Policy that allows one inline style and perhaps one inline script, and nothing else. */
export function pagePolicy(allowed: { style: string; script?: string; connect?: string; ancestors?: string }): string {
  const { style, script, connect, ancestors = "'none'" } = allowed;
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

/** Sends a document. The status is that of the reply. */
export function sendDocument(reply: FastifyReply, document: string, policy: string): FastifyReply {
  return reply
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    .serializer((text: string) => text)
    .send(document);
}

export function renderDocument(page: { language: Language; title: string; style: string; body: Html }): string {
  return html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${inline('style', page.style)}
</head>
<body>
${page.body}
</body>
</html>
`.source;
}

/** The colours of all pages, as in `web/client/shared/theme.css`. */
export const COLOURS = `:root { color-scheme: light dark; --page: light-dark(#f4f6f9, #0e141b); --surface: light-dark(#fff, #161f29);
  --sunk: light-dark(#eef1f5, #1e2934); --line: light-dark(#d9dfe7, #2b3846); --text: light-dark(#17202b, #e8edf3);
  --muted: light-dark(#566270, #a3b0be); --accent: light-dark(#1667c5, #6cb2ff); --on-accent: light-dark(#fff, #08182a);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
  body { margin: 0; color: var(--text); background: var(--page);
    font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; }
  a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }`;

const STYLE = `${COLOURS}
  body { display: grid; min-height: 100vh; place-items: center; }
  main { box-sizing: border-box; width: min(34rem, 100vw - 2rem); margin: 1rem; padding: 2rem; overflow-wrap: anywhere;
    background: var(--surface); border: 1px solid var(--line); border-radius: 14px; }
  h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; } p { margin: 0 0 1rem; }
  .eyebrow, .small { color: var(--muted); } .small { font-size: .875rem; margin: 0; }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 1rem; }
  .button { display: inline-block; padding: .65rem 1.1rem; border: 1px solid var(--line); border-radius: 8px;
    color: var(--text); text-decoration: none; font-weight: 600; }
  .button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }`;

const POLICY = pagePolicy({ style: STYLE });

const SUPPORT: Readonly<Record<Language, string>> = { ru: 'Поддержка', en: 'Support' };

/** Sends a short page for people: a heading, texts, and where to get help. */
export function sendPage(
  reply: FastifyReply,
  { language, title, body }: { language: Language; title: string; body: Html },
): FastifyReply {
  const { supportContact: contact } = reply.server;
  const support =
    contact && html`<p class="small">${SUPPORT[language]}: <a href="${contact.url}">${contact.text}</a></p>`;
  const main = html`<main><p class="eyebrow">Sponsorgate</p><h1>${title}</h1>${body}${support}</main>`;
  const document = renderDocument({ language, title: `${title} · Sponsorgate`, style: STYLE, body: main });
  return sendDocument(reply, document, POLICY);
}
