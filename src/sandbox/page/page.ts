import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Html, html } from '../../core/html.ts';
import { type Language, languageFor } from '../../core/locale.ts';
import { type Assets, loadAssets } from '../../http/assets.ts';
import { PAGE_TEXTS, type PageTexts } from './page-texts.ts';

/** Scripts, styles and pictures come from this origin only; nothing is inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const STYLES = ['page', 'controls', 'tour', 'phone', 'chat', 'exchange', 'entries'].map(
  (name) => `sandbox/${name}.css`,
);

interface SandboxPageOptions {
  readonly demoToken: string;
  readonly publisherSharePercent: number;
}

/** The start page: a phone on the left, the state of the exchange on the right. */
export const sandboxPage =
  (options: SandboxPageOptions): FastifyPluginAsync =>
  async (app) => {
    const assets = loadAssets(undefined, '/sandbox/assets', ['sandbox', 'shared']);
    await app.register(assets.routes);
    app.get('/', (_request, reply) => reply.redirect('/sandbox'));
    app.get('/sandbox', async (request, reply) => {
      const language = languageOf(request);
      return reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', POLICY)
        .header('Referrer-Policy', 'no-referrer')
        .header('X-Content-Type-Options', 'nosniff')
        .header('Cache-Control', 'no-store')
        .header('Vary', 'Accept-Language')
        .send(page({ ...options, url: `${request.protocol}://${request.host}`, language, assets }).source);
    });
  };

/** Returns the language of the address, or the one that the browser prefers. */
function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { readonly lang?: unknown };
  if (lang === 'ru' || lang === 'en') return lang;
  return languageFor(headers['accept-language']);
}

interface PageParts extends SandboxPageOptions {
  readonly url: string;
  readonly language: Language;
  readonly assets: Assets;
}

function page({ url, demoToken, publisherSharePercent, language, assets }: PageParts): Html {
  const texts = PAGE_TEXTS[language];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<link rel="icon" href="${assets.url('sandbox/icon.svg')}">
${['shared/theme.css', ...STYLES].map((file) => html`<link rel="stylesheet" href="${assets.url(file)}">`)}
<script type="module" src="${assets.url('sandbox/main.ts')}"></script>
</head>
<body data-tab="phone">
<a class="skip-link" href="#exchange">${texts.skip}</a>
${header(texts, language, assets)}
<noscript><p class="notice">${texts.needsScript}</p></noscript>
<p id="connection" class="notice" role="status"></p>
<main>
<section id="phone" aria-label="${texts.phone}">
<button type="button" id="person" aria-haspopup="dialog"><span class="who-label">${texts.you}</span></button>
<div class="device">
<div class="device-bar" aria-hidden="true"><span id="phone-time"></span><span class="device-signs"></span></div>
<div id="screen"></div>
</div>
</section>
<div id="side">
<section id="tour" class="tour" aria-live="polite" aria-label="${texts.tour}" hidden></section>
<div id="exchange" role="region" aria-label="${texts.exchange}" tabindex="0">
${guide(texts, publisherSharePercent)}
${exchange(texts)}
${byHand(texts, url, demoToken)}
</div>
</div>
</main>
<div class="tabs" role="group" aria-label="${texts.views}">
${tab('phone', '📱', texts)}${tab('exchange', '🏦', texts)}
</div>
<div id="toasts" role="status" aria-live="polite"></div>
</body>
</html>
`;
}

function header(texts: PageTexts, language: Language, assets: Assets): Html {
  const other = language === 'ru' ? 'en' : 'ru';
  return html`<header class="top">
<img src="${assets.url('sandbox/icon.svg')}" alt="" width="36" height="36">
<div class="brand"><h1>${texts.title}</h1><p class="lead">${texts.lead}</p></div>
<div class="clock" role="group" aria-label="${texts.clock}">
<p class="clock-face"><strong id="clock-time"></strong><span id="clock-day"></span></p>
<button type="button" class="button" id="clock-hour">${texts.hour}</button>
<button type="button" class="button" id="clock-day-later">${texts.day}</button>
<button type="button" class="button button-quiet" id="reset"><span aria-hidden="true">↺</span> <span class="reset-name">${texts.reset}</span></button>
</div>
<button type="button" class="button button-primary" id="tour-start">${texts.tour}</button>
<a class="button language" href="/sandbox?lang=${other}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>
</header>`;
}

const tab = (name: 'phone' | 'exchange', sign: string, texts: PageTexts): Html =>
  html`<button type="button" id="tab-${name}" aria-pressed="${String(name === 'phone')}"><span aria-hidden="true">${sign}</span> ${texts[name]}<span class="tab-badge" hidden><span class="unseen">${texts.changed}</span></span></button>`;

/** What a first-time visitor does not know: the roles, and the way of the money. */
function guide(texts: PageTexts, publisherPercent: number): Html {
  const roles = texts.roles.map(
    ([sign = '', name = '', does = '']) =>
      html`<li><span class="role-sign" aria-hidden="true">${sign}</span><strong>${name}</strong> <span>${does}</span></li>`,
  );
  const servicePercent = 100 - publisherPercent;
  const shares = { escrow: '100 %', hold: `${publisherPercent} %`, available: '', service: `${servicePercent} %` };
  const flow = (['escrow', 'hold', 'available', 'service'] as const).map((name) => {
    const [title = '', meaning = ''] = texts.flow[name];
    return html`<li class="flow-${name}"><strong>${title}</strong>${shares[name] !== '' && html` <span class="badge">${shares[name]}</span>`}<span>${meaning}</span></li>`;
  });
  return html`<details id="guide" class="card guide" open>
<summary><h2>${texts.guide}</h2></summary>
<ul class="roles">${roles}</ul>
<ol class="flow">${flow}</ol>
<p class="status">${texts.example(publisherPercent, servicePercent)}</p>
</details>`;
}

function exchange(texts: PageTexts): Html {
  const faults = Object.entries(texts.faults).map(
    ([mode, name]) =>
      html`<label class="choice"><input type="radio" name="fault" id="fault-${mode}" value="${mode}"><span>${name}</span></label>`,
  );
  return html`<div class="columns">
<div class="column">
<section class="card" aria-labelledby="h-money">
<h2 id="h-money">${texts.money}</h2>
<div class="scroll" tabindex="0" role="group" aria-labelledby="h-money">
<table>
<thead><tr><th scope="col">${texts.account}</th><th scope="col">${texts.available}</th><th scope="col">${texts.hold}</th><th scope="col">${texts.escrow}</th></tr></thead>
<tbody id="money"></tbody>
</table>
</div>
<p id="money-more" class="status"></p>
</section>
<section class="card" aria-labelledby="h-calls">
<h2 id="h-calls">${texts.calls}</h2>
<p id="calls-empty" class="status"></p>
<div id="calls" class="entries"></div>
</section>
<section class="card" aria-labelledby="h-webhooks">
<div class="card-head"><h2 id="h-webhooks">${texts.webhooks}</h2><button type="button" class="button button-small" id="webhooks-subscribe">${texts.subscribe}</button></div>
<p id="webhooks-status" class="status"></p>
<div id="webhooks" class="entries"></div>
</section>
</div>
<div class="column">
<section class="card" aria-labelledby="h-ledger">
<div class="card-head"><h2 id="h-ledger">${texts.ledger}</h2><button type="button" class="button button-small" id="ledger-check">${texts.check}</button></div>
<p id="ledger-status" class="status" role="status"></p>
<p id="ledger-empty" class="status"></p>
<div id="ledger" class="entries"></div>
</section>
<section class="card" aria-labelledby="h-orders">
<div class="card-head"><h2 id="h-orders">${texts.orders}</h2><input type="search" class="search" id="orders-search" placeholder="${texts.searchOrders}" aria-label="${texts.searchOrders}"></div>
<ul id="orders" class="lines"></ul>
<p id="orders-more" class="status"></p>
</section>
<section class="card" aria-labelledby="h-faults">
<h2 id="h-faults">${texts.telegram}</h2>
<fieldset class="choices"><legend class="unseen">${texts.telegram}</legend>${faults}</fieldset>
<p id="fault-meaning" class="status" role="status"></p>
<label class="switch"><input type="checkbox" role="switch" id="flood-limits"><span><strong>${texts.floodLimits}</strong><span class="under">${texts.floodLimitsMeaning}</span></span></label>
</section>
</div>
</div>`;
}

/** Commands to paste into a terminal. They also help when the browser runs no scripts. */
function byHand(texts: PageTexts, url: string, token: string): Html {
  const post = (path: string, body: string, key = `Auth: ${token}`): string =>
    `curl -s ${url}${path} -H '${key}' -H 'Content-Type: application/json' -d '${body}'`;
  const user = texts.demoUser;
  const [tasks, join, confirm, day] = texts.lines;
  const lines = [
    `# ${tasks}`,
    post('/api/v1/get-sponsors', `{"user_id": ${user}}`),
    `# ${join}`,
    `curl -X PUT ${url}/sandbox/chats/CHAT_ID/members/${user}`,
    `# ${confirm}`,
    post('/api/v1/confirm-subscription', `{"user_id": ${user}, "ads_id": 3}`),
    post('/api/v1/get-balance', '{}'),
    `# ${day}`,
    `curl -s ${url}/sandbox/clock -H 'Content-Type: application/json' -d '{"advance_seconds": 86400}'`,
  ];
  const networks = [
    '# SubGram',
    post('/compat/subgram/get-sponsors', `{"user_id": ${user}, "chat_id": ${user}}`),
    '# Flyer',
    `curl -s ${url}/compat/flyer/get_tasks -H 'Content-Type: application/json' -d '{"key": "${token}", "user_id": ${user}}'`,
    '# TGrass',
    post('/compat/tgrass/offers', `{"tg_user_id": ${user}}`),
    '# PiarFlow',
    post('/compat/piarflow/v1/sponsors', `{"user_id": ${user}}`, `Authorization: Bearer ${token}`),
    '# BotoHub',
    post('/compat/botohub/get-tasks', `{"chat_id": ${user}}`),
  ];
  const links = Object.entries(texts.links).map(
    ([path, content]) => html`<li><a href="${path}"><code>${path}</code></a> ${content}</li>`,
  );
  const block = (heading: string, code: readonly string[]): Html =>
    html`<pre tabindex="0" role="group" aria-labelledby="${heading}">${code.join('\n')}</pre>`;
  return html`<section class="card by-hand" aria-labelledby="h-by-hand">
<h2 id="h-by-hand">${texts.byHand}</h2>
<p>${texts.byHandLead}</p>
${block('h-by-hand', lines)}
<h3 id="h-networks">${texts.networks}</h3>
<p>${texts.networksLead}</p>
${block('h-networks', networks)}
<ul>${links}</ul>
</section>`;
}
