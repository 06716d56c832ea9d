import { type Html, html } from '../../core/html.ts';
import { LANGUAGES, type Language } from '../../core/locale.ts';
import type { Assets } from '../../http/assets.ts';
import type { Flash, Theme } from '../../modules/sessions/index.ts';
import { type MenuEntry, OPERATOR_MENU, OWNER_MENU } from './menu.ts';
import { form, hidden } from './parts/form.ts';
import { breadcrumbs, copyable, NOTHING, when } from './parts/pieces.ts';
import { TEXTS } from './texts/index.ts';
import type { Page, Visit } from './visit.ts';

const SHEETS = [
  'shared/theme.css',
  ...['layout', 'boxes', 'controls', 'tables', 'charts', 'filters'].map((name) => `console/${name}.css`),
];

/** The document around everything: what it loads, and nothing of it from elsewhere. */
function documentOf(
  assets: Assets,
  head: { language: Language; title: string; theme: Theme | null; script?: string },
  body: Html,
): string {
  const { language, title, theme, script = 'console/main.ts' } = head;
  return html`<!doctype html>
<html lang="${language}"${theme === null ? NOTHING : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Sponsorgate</title>
<link rel="icon" type="image/svg+xml" href="${assets.url('console/icon.svg')}">
${SHEETS.map((sheet) => html`<link rel="stylesheet" href="${assets.url(sheet)}">`)}
<script type="module" src="${assets.url(script)}"></script>
</head>
<body>${body}</body>
</html>
`.source;
}

/** A page for somebody who is signed in. */
export function framePage(assets: Assets, visit: Visit, page: Page, flash: Flash | undefined): string {
  const { texts, language } = visit;
  const main = html`<main id="main" tabindex="-1">${breadcrumbs(visit, page.crumbs ?? [], page.title)}<div class="page-head"><h1>${page.title}</h1>${page.aside ?? NOTHING}</div>${flash === undefined ? NOTHING : flashOf(visit, flash)}${page.body}</main>`;
  const head = { language, title: page.title, theme: visit.session.theme };
  if (visit.isInApp) return documentOf(assets, head, html`<div class="app">${main}</div>`);
  const body = html`<a class="skip-link" href="#main">${texts.common.skip}</a>
<div class="shell">
<header class="top"><a class="brand" href="/console">Sponsorgate</a>${phoneMenu(visit, page.section)}${personOf(visit)}</header>
<nav class="side" aria-label="${texts.menu.label}">${menuOf(visit, page.section)}</nav>
${main}
</div>`;
  return documentOf(assets, head, body);
}

/** A page for somebody who is not: one box in the middle. */
export function frameDoor(
  assets: Assets,
  door: { language: Language; title: string; body: Html; theme?: Theme | null; script?: string },
): string {
  const { language, title, body, theme = null } = door;
  const content = html`<div class="door"><main id="main" class="panel"><p class="brand">Sponsorgate</p><h1>${title}</h1>${body}</main></div>`;
  return documentOf(
    assets,
    { language, title, theme, ...(door.script !== undefined && { script: door.script }) },
    content,
  );
}

function flashOf(visit: Visit, { tone, text, secret }: Flash): Html {
  const body = html`<p>${text}</p>${secret === undefined ? NOTHING : html`<p class="secret"><span>${secret.label}</span>${copyable(visit, secret.value, secret.label)}</p><p class="hint">${visit.texts.common.shownOnce}</p>`}`;
  return html`<div class="flash ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${body}</div>`;
}

function menuOf(visit: Visit, section: string): Html {
  const entry = ({ path, label }: MenuEntry): Html =>
    html`<li><a href="${path}"${when(path === section, () => html` aria-current="page"`)}>${label(visit.texts)}</a></li>`;
  const forOperators =
    visit.isOperator && OPERATOR_MENU.length > 0
      ? html`<p class="menu-title">${visit.texts.menu.operator}</p><ul>${OPERATOR_MENU.map(entry)}</ul>`
      : NOTHING;
  return html`<ul>${OWNER_MENU.map(entry)}</ul>${forOperators}`;
}

/** The same menu behind one button, for narrow screens; style sheets show one of the two. */
function phoneMenu(visit: Visit, section: string): Html {
  const { label, button } = visit.texts.menu;
  return html`<details class="phone-menu"><summary>${button}</summary><nav aria-label="${label}">${menuOf(visit, section)}</nav></details>`;
}

function personOf(visit: Visit): Html {
  const { texts, owner } = visit;
  const other = LANGUAGES.find((language) => language !== visit.language) ?? 'en';
  const back = visit.query.size > 0 ? `${visit.path}?${visit.query}` : visit.path;
  const speak = form(visit, {
    action: '/console/language',
    fields: html`${hidden('language', other)}${hidden('back', back)}`,
    submit: other.toUpperCase(),
    label: `${other.toUpperCase()} – ${TEXTS[other].common.languageName}`,
    look: 'quiet',
    isInline: true,
  });
  const leave = form(visit, {
    action: '/console/sign-out',
    submit: texts.common.signOut,
    look: 'quiet',
    isInline: true,
  });
  return html`<div class="person"><span class="person-name">${owner.name}<small>${texts.common.accountNumber(owner.accountId)}</small></span>${speak}${leave}</div>`;
}
