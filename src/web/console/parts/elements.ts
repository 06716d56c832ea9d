import { type Html, html } from '../../../core/html.ts';
import type { Crumb, Visit } from '../visit.ts';

/** A figure with its name and a note on what it means. */
export function tile(label: string, value: string, note?: string | Html): Html {
  return html`<div class="tile"><dt>${label}</dt><dd><strong>${value}</strong>${note !== undefined && html`<small>${note}</small>`}</dd></div>`;
}

export const tiles = (...items: readonly Html[]): Html => html`<dl class="tiles">${items}</dl>`;

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`;

/** Names and their values in two columns. */
export function facts(...items: readonly (readonly [label: string, value: Html | string] | undefined)[]): Html {
  const rows = items.flatMap((item) =>
    item === undefined ? [] : html`<div><dt>${item[0]}</dt><dd>${item[1]}</dd></div>`,
  );
  return html`<dl class="facts">${rows}</dl>`;
}

export function panel(title: string, body: Html, { note, id }: { note?: string | undefined; id?: string } = {}): Html {
  const labelId = id ?? `panel-${title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}`;
  return html`<section class="panel" aria-labelledby="${labelId}"><div class="panel-head"><h2 id="${labelId}">${title}</h2></div>${note !== undefined && html`<p class="note">${note}</p>`}${body}</section>`;
}

export function emptyState(title: string, text: string | Html, action?: Html): Html {
  return html`<section class="panel empty-state"><h2>${title}</h2><p>${text}</p>${action}</section>`;
}

/** A message in the page that asks for attention. */
export const warning = (text: string): Html => html`<p class="flash bad" role="status">${text}</p>`;

/** A link, styled as a button, to a page that asks before it acts. */
export const stepLink = (href: string, label: string, tone: 'plain' | 'danger' = 'plain'): Html =>
  html`<a class="button${tone === 'danger' && html` danger-link`}" href="${href}">${label}…</a>`;

export const buttons = (...items: readonly (Html | undefined | false)[]): Html =>
  html`<div class="buttons">${items.map((item) => html`${item}`)}</div>`;

/** The days that a page with charts covers, and the links to other periods. */
export function readPeriod({ query, path, texts }: Visit): { readonly days: number; readonly choices: Html } {
  const days = [30, 7, 90].find((choice) => String(choice) === query.get('days')) ?? 30;
  const links = [7, 30, 90].map(
    (choice) =>
      html`<a href="${`${path}?days=${choice}`}"${choice === days && html` aria-current="true"`}>${texts.common.days(choice)}</a>`,
  );
  return { days, choices: html`<nav class="choices" aria-label="${texts.common.period}">${links}</nav>` };
}

export function breadcrumbs({ texts }: Visit, crumbs: readonly Crumb[], title: string): Html | undefined {
  if (crumbs.length === 0) return undefined;
  const links = crumbs.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<nav class="crumbs" aria-label="${texts.common.breadcrumbs}"><ol>${links}<li aria-current="page">${title}</li></ol></nav>`;
}

/** Text in a box, with a button that copies it where scripts run. */
export function copyable({ texts }: Pick<Visit, 'texts'>, value: string, label: string): Html {
  return html`<span class="copyable"><code>${value}</code><button type="button" class="quiet-button" data-copy="${value}" data-copied="${texts.common.copied}" aria-label="${`${texts.common.copy}: ${label}`}" hidden>${texts.common.copy}</button></span>`;
}

/** A link that downloads the figures of a table or chart. Lists are downloaded from their beginning. */
export function fileLink(visit: Visit, name: string): Html {
  const query = new URLSearchParams(visit.query);
  for (const cursor of ['before', 'after']) query.delete(cursor);
  query.set('format', 'csv');
  query.set('table', name);
  return html`<a class="quiet-button" href="${`${visit.path}?${query}`}" download>${visit.texts.common.csv}</a>`;
}
