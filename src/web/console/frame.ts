import { type Html, html } from '../../core/html.ts';
import { LANGUAGES, type Language } from '../../core/locale.ts';
import type { Assets } from '../../http/assets.ts';
import type { Flash, Theme } from '../../modules/sessions/index.ts';
import { breadcrumbs, copyable } from './parts/elements.ts';
import { form, hidden } from './parts/form.ts';
import { TEXTS, type Texts } from './texts/index.ts';
import type { Page, Visit } from './visit.ts';

/** An entry of the menu; its path is also the first crumb of the pages below it. */
interface MenuEntry {
  readonly path: string;
  readonly label: (texts: Texts) => string;
}

const CASES: MenuEntry = { path: '/console/cases', label: ({ menu }) => menu.cases };

const OWNER_MENU: readonly MenuEntry[] = [
  { path: '/console', label: ({ menu }) => menu.overview },
  { path: '/console/bots', label: ({ menu }) => menu.bots },
  { path: '/console/orders', label: ({ menu }) => menu.orders },
  { path: '/console/links', label: ({ menu }) => menu.links },
  { path: '/console/payouts', label: ({ menu }) => menu.payouts },
  CASES,
  { path: '/console/history', label: ({ menu }) => menu.history },
  { path: '/console/webhooks', label: ({ menu }) => menu.webhooks },
  { path: '/console/sessions', label: ({ menu }) => menu.sessions },
];

/** Operators see these entries below their own. */
const OPERATOR_MENU: readonly MenuEntry[] = [
  { path: '/console/operator', label: ({ operator }) => operator.menu.queues },
  { path: '/console/operator/orders', label: ({ operator }) => operator.menu.moderation },
  { path: '/console/operator/running', label: ({ operator }) => operator.menu.running },
  { path: '/console/operator/payouts', label: ({ operator }) => operator.menu.payouts },
  { path: '/console/operator/cases', label: ({ operator }) => operator.menu.cases },
  { path: '/console/operator/accounts', label: ({ operator }) => operator.menu.accounts },
  { path: '/console/operator/debtors', label: ({ operator }) => operator.menu.debtors },
  { path: '/console/operator/reversals', label: ({ operator }) => operator.menu.reversals },
  { path: '/console/operator/contests', label: ({ operator }) => operator.menu.contests },
  { path: '/console/operator/checkers', label: ({ operator }) => operator.menu.checkers },
  { path: '/console/operator/log', label: ({ operator }) => operator.menu.log },
  { path: '/console/operator/books', label: ({ operator }) => operator.menu.books },
];

const SHEETS = [
  'shared/theme.css',
  ...['layout', 'boxes', 'controls', 'tables', 'charts', 'filters'].map((name) => `console/${name}.css`),
];

/** Returns the HTML document around a page. It loads our own files only. */
function renderDocument(
  assets: Assets,
  head: { language: Language; title: string; theme?: Theme | null; script?: string },
  body: Html,
): string {
  const { language, title, theme = null, script = 'console/main.ts' } = head;
  return html`<!doctype html>
<html lang="${language}"${theme !== null && html` data-theme="${theme}"`}>
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

/** What the menu shows besides its entries: how much waits at a path, and the link to the management bot. */
export interface Surroundings {
  readonly waiting: ReadonlyMap<string, number>;
  readonly botUrl: string | undefined;
}

/** Returns the document of a page for a signed-in visitor; inside Telegram without menu and header. */
export function framePage(
  assets: Assets,
  visit: Visit,
  page: Page,
  {
    flash,
    around = { waiting: new Map(), botUrl: undefined },
  }: { flash?: Flash | undefined; around?: Surroundings } = {},
): string {
  const { texts, language } = visit;
  const section = page.crumbs?.[0]?.href ?? visit.path;
  const main = html`<main id="main" tabindex="-1">${breadcrumbs(visit, page.crumbs ?? [], page.title)}<div class="page-head"><h1>${page.title}</h1>${page.aside}</div>${flash && flashBox(visit, flash)}${page.body}${page.figuresAgeSeconds !== undefined && html`<p class="note">${texts.common.figuresAge(page.figuresAgeSeconds)}</p>`}</main>`;
  const head = { language, title: page.title, theme: visit.session.theme };
  if (visit.isInApp) return renderDocument(assets, head, html`<div class="app">${main}</div>`);
  const body = html`<a class="skip-link" href="#main">${texts.common.skip}</a>
<div class="shell">
<header class="top"><a class="brand" href="/console">Sponsorgate</a>${phoneMenu(visit, section, around)}${visitorPanel(visit)}</header>
<nav class="side" aria-label="${texts.menu.label}">${menu(visit, section, around)}</nav>
${main}
</div>`;
  return renderDocument(assets, head, body);
}

/** Returns the document of a page for a visitor who is not signed in: one box in the middle. */
export function frameSignedOutPage(
  assets: Assets,
  { body, ...head }: { language: Language; title: string; body: Html; script?: string },
): string {
  const content = html`<div class="signed-out"><main id="main" class="panel"><p class="brand">Sponsorgate</p><h1>${head.title}</h1>${body}</main></div>`;
  return renderDocument(assets, head, content);
}

function flashBox(visit: Visit, { tone, text, secret }: Flash): Html {
  const shownOnce =
    secret &&
    html`<p class="secret"><span>${secret.label}</span>${copyable(visit, secret.value, secret.label)}</p><p class="hint">${visit.texts.common.shownOnce}</p>`;
  return html`<div class="flash ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"><p>${text}</p>${shownOnce}</div>`;
}

function menu(
  { texts, formats, isOperator, session }: Visit,
  section: string,
  { waiting, botUrl }: Surroundings,
): Html {
  const count = (number: number): Html =>
    html`<span class="menu-count">${formats.count(number)}<span class="unseen"> ${texts.menu.waiting}</span></span>`;
  const entry = ({ path, label }: MenuEntry): Html => {
    const number = waiting.get(path) ?? 0;
    return html`<li><a href="${path}"${path === section && html` aria-current="page"`}><span>${label(texts)}</span>${number > 0 && count(number)}</a></li>`;
  };
  const forOperators = html`<p class="menu-title">${texts.menu.operator}</p><ul>${OPERATOR_MENU.map(entry)}</ul>`;
  const toBot =
    botUrl !== undefined &&
    html`<ul class="menu-end"><li><a href="${botUrl}" target="_blank" rel="noreferrer">${texts.menu.managementBot} ↗</a></li></ul>`;
  return html`<ul>${(session.isBanned ? [CASES] : OWNER_MENU).map(entry)}</ul>${isOperator && forOperators}${toBot}`;
}

/** The same menu behind one button, for narrow screens. The style sheets show one of the two. */
function phoneMenu(visit: Visit, section: string, around: Surroundings): Html {
  const { label, button } = visit.texts.menu;
  const total = [...around.waiting.values()].reduce((sum, number) => sum + number, 0);
  const count = total > 0 && html` <span class="menu-count">${visit.formats.count(total)}</span>`;
  return html`<details class="phone-menu"><summary>${button}${count}</summary><nav aria-label="${label}">${menu(visit, section, around)}</nav></details>`;
}

/** Shows the account with the buttons that change the language and sign out. */
function visitorPanel(visit: Visit): Html {
  const { texts, owner } = visit;
  const other = LANGUAGES.find((language) => language !== visit.language) ?? 'en';
  const back = visit.query.size > 0 ? `${visit.path}?${visit.query}` : visit.path;
  const button = { style: 'quiet', isInline: true } as const;
  const changeLanguage = form(visit, {
    ...button,
    action: '/console/language',
    fields: html`${hidden('language', other)}${hidden('back', back)}`,
    submit: other.toUpperCase(),
    label: `${other.toUpperCase()} – ${TEXTS[other].common.languageName}`,
  });
  const signOut = form(visit, { ...button, action: '/console/sign-out', submit: texts.common.signOut });
  return html`<div class="person"><span class="person-name"><bdi>${owner.name}</bdi><small>${texts.common.accountNumber(owner.accountId)}</small></span>${changeLanguage}${signOut}</div>`;
}
