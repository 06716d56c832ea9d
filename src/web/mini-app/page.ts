import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Language } from '../../core/locale.ts';

const SCRIPT = readFileSync(new URL('./client.js', import.meta.url), 'utf8');

const STYLE = `
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
  body { display: flex; flex-direction: column; min-height: 90vh; margin: 0; padding: 1rem; text-align: center; }
  main { margin: auto; }
  #go { display: inline-block; padding: .7rem 2rem; border-radius: .6rem; background: #2481cc; color: #fff; text-decoration: none; }
  #go[hidden] { display: none; }
  footer { font-size: .75rem; opacity: .7; }
  footer a { color: inherit; }
`;

/** The Mini App in one page without other files. The licence of DB-IP (CC BY 4.0) requires the footer. */
export const miniAppPage = (language: Language): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sponsorgate</title>
<style>${STYLE}</style>
</head>
<body>
<main><p id="status" role="status">…</p><p><a id="go" hidden></a></p></main>
<footer><a href="https://db-ip.com/">IP Geolocation by DB-IP</a></footer>
<script>${SCRIPT}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only this script, this style and requests to our server; only Telegram's web versions may frame the page. */
export const MINI_APP_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors https://*.telegram.org',
].join('; ');
