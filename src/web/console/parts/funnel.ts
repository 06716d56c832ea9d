import { type Html, html } from '../../../core/html.ts';
import type { Visit } from '../visit.ts';

export interface FunnelStep {
  readonly label: string;
  readonly count: number;
  readonly note: string;
}

/** Units of the drawing; the page stretches it to the room there is. */
const WIDTH = 100;
const HEIGHT = 10;

/** How many went from each step to the next. The bars are for the eye; the list says the same in words. */
export function funnel(visit: Visit, title: string, note: string, steps: readonly FunnelStep[]): Html {
  const { formats } = visit;
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  const items = steps.map(({ label, count, note: meaning }, index) => {
    const before = steps[index - 1];
    const share = before === undefined || before.count === 0 ? '' : formats.percent((count / before.count) * 100);
    const width = Math.round((count / widest) * WIDTH * 100) / 100;
    return html`<li><span class="funnel-label">${label} <strong>${formats.count(count)}</strong>${share === '' ? '' : html` <span class="funnel-share">${share}</span>`}</span><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="${HEIGHT}"/><rect class="bar s${Math.min(index, 2) === 2 ? 3 : 1}" width="${width}" height="${HEIGHT}"/></svg><small>${meaning}</small></li>`;
  });
  return html`<section class="panel funnel" aria-labelledby="funnel-title"><h2 id="funnel-title">${title}</h2><p class="note">${note}</p><ol>${items}</ol></section>`;
}
