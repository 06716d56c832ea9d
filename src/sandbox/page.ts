import type { FastifyPluginAsync } from 'fastify';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  pre { padding: .8rem; background: #8882; border-radius: .5rem; overflow-x: auto; }
  dt { font-family: ui-monospace, monospace; margin-top: .6rem; }
  dd { margin: 0 0 0 1rem; }`;

/** A first page to land on: what the sandbox is, a line to paste, and the levers by hand. */
export const sandboxPage =
  (demoToken: string): FastifyPluginAsync =>
  async (app) => {
    app.get('/', (_request, reply) => reply.redirect('/sandbox'));
    app.get('/sandbox', async (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
        .header('Cache-Control', 'no-store');
      return page(`${request.protocol}://${request.host}`, demoToken);
    });
  };

function page(url: string, token: string): string {
  const call = (path: string, body: string): string =>
    `curl -s ${url}/api/v1/${path} -H 'Auth: ${token}' -H 'Content-Type: application/json' -d '${body}'`;
  const lines = [
    '# 1. ask for tasks for Anna (a demo user)',
    call('get-sponsors', '{"user_id": 100001}'),
    '# 2. Anna joins a sponsor channel: take a chat_id from /sandbox/state',
    `curl -X PUT ${url}/sandbox/chats/CHAT_ID/members/100001`,
    '# 3. confirm it: the reward is in hold',
    call('confirm-subscription', '{"user_id": 100001, "ads_id": 3}'),
    call('get-balance', '{}'),
    '# 4. a day later it is yours',
    `curl -s ${url}/sandbox/clock -H 'Content-Type: application/json' -d '{"advance_seconds": 86400}'`,
  ];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sponsorgate sandbox</title>
<style>${STYLE}</style></head>
<body>
<h1>Sponsorgate sandbox</h1>
<p>The whole exchange with an emulated Telegram: nothing here reaches the real one, and no money is real.</p>
<h2>From a task to a credited publisher</h2>
<pre>${escapeText(lines.join('\n'))}</pre>
<h2>Look inside</h2>
<dl>
<dt><a href="/sandbox/state">GET /sandbox/state</a></dt><dd>accounts, bots with their tokens, orders, users, chats</dd>
<dt><a href="/sandbox/ledger">GET /sandbox/ledger</a></dt><dd>every balance recomputed from the transfers</dd>
<dt><a href="/sandbox/inbox">GET /sandbox/inbox</a></dt><dd>what was posted to the webhook catcher</dd>
</dl>
</body>
</html>`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
