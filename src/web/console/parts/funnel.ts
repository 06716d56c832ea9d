import { type Html, html } from '../../../core/html.ts';
import type { Visit } from '../visit.ts';

export interface FunnelStep {
  readonly label: string;
  readonly count: number;
  readonly note: string;
}

/** Units of the drawing; the style sheet stretches it to the available width. */
const WIDTH = 100;
const HEIGHT = 10;

/** Shows how many users reached each step. The list carries the figures, so screen readers skip the bars. */
export function funnel({ formats }: Visit, title: string, note: string, steps: readonly FunnelStep[]): Html {
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  const items = steps.map(({ label, count, note: meaning }, index) => {
    const before = steps[index - 1]?.count ?? 0;
    const share = before > 0 && html` <span class="funnel-share">${formats.percent((count / before) * 100)}</span>`;
    const width = Math.round((count / widest) * WIDTH * 100) / 100;
    return html`<li><span class="funnel-label">${label} <strong>${formats.count(count)}</strong>${share}</span><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="${HEIGHT}"/><rect class="bar s${index >= 2 ? 3 : 1}" width="${width}" height="${HEIGHT}"/></svg><small>${meaning}</small></li>`;
  });
  return html`<section class="panel funnel" aria-labelledby="funnel-title"><h2 id="funnel-title">${title}</h2><p class="note">${note}</p><ol>${items}</ol></section>`;
}
