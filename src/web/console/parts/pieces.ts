import { type Html, html } from '../../../core/html.ts';
import type { Crumb, Visit } from '../visit.ts';

export const NOTHING: Html = html``;

export const when = (condition: boolean, piece: () => Html): Html => (condition ? piece() : NOTHING);

/** One figure with its name, and a word on what it means. */
export function tile(label: string, value: string, note?: string | Html): Html {
  return html`<div class="tile"><dt>${label}</dt><dd><strong>${value}</strong>${note === undefined ? NOTHING : html`<small>${note}</small>`}</dd></div>`;
}

export const tiles = (...items: readonly Html[]): Html => html`<dl class="tiles">${items}</dl>`;

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`;

/** Names and what they are, in two columns. */
export function facts(...items: readonly (readonly [label: string, value: Html | string] | undefined)[]): Html {
  const rows = items.flatMap((item) =>
    item === undefined ? [] : html`<div><dt>${item[0]}</dt><dd>${item[1]}</dd></div>`,
  );
  return html`<dl class="facts">${rows}</dl>`;
}

export function panel(title: string, body: Html, { note, id }: { note?: string; id?: string } = {}): Html {
  const labelId = id ?? `panel-${title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}`;
  return html`<section class="panel" aria-labelledby="${labelId}"><div class="panel-head"><h2 id="${labelId}">${title}</h2></div>${note === undefined ? NOTHING : html`<p class="note">${note}</p>`}${body}</section>`;
}

export function emptyState(title: string, text: string | Html, action: Html = NOTHING): Html {
  return html`<section class="panel empty-state"><h2>${title}</h2><p>${text}</p>${action}</section>`;
}

/** Other views of the same page, as links; the one that is shown is marked. */
function choices(
  label: string,
  items: readonly { readonly label: string; readonly href: string; readonly isCurrent: boolean }[],
): Html {
  const links = items.map(
    (item) => html`<a href="${item.href}"${item.isCurrent ? html` aria-current="true"` : NOTHING}>${item.label}</a>`,
  );
  return html`<nav class="choices" aria-label="${label}">${links}</nav>`;
}

export const DAY_CHOICES = ['30', '7', '90'] as const;

export function dayChoices(visit: Visit, current: string): Html {
  const items = (['7', '30', '90'] as const).map((days) => ({
    label: visit.texts.common.days(Number(days)),
    href: `${visit.path}?days=${days}`,
    isCurrent: days === current,
  }));
  return choices(visit.texts.common.period, items);
}

export function breadcrumbs({ texts }: Visit, crumbs: readonly Crumb[], title: string): Html {
  if (crumbs.length === 0) return NOTHING;
  const links = crumbs.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<nav class="crumbs" aria-label="${texts.common.breadcrumbs}"><ol>${links}<li aria-current="page">${title}</li></ol></nav>`;
}

/** Text in a box that can be marked and, where scripts run, copied with one press. */
export function copyable({ texts }: Pick<Visit, 'texts'>, value: string, label: string): Html {
  return html`<span class="copyable"><code>${value}</code><button type="button" class="quiet-button" data-copy="${value}" data-copied="${texts.common.copied}" aria-label="${`${texts.common.copy}: ${label}`}" hidden>${texts.common.copy}</button></span>`;
}
