import { attributes, element } from '../../shared/dom.ts';
import { inSentence, rubles, signedRubles } from '../format.ts';
import { personName } from '../phone/persons.ts';
import { type Cast, current } from '../store.ts';
import { t } from '../texts/index.ts';
import { clubOf, STEPS } from './steps.ts';

/** The publisher's money. */
export interface Money {
  readonly available: number;
  readonly hold: number;
}

/** The content and the actions of the tour's panel. */
export interface PanelView {
  readonly step: number;
  readonly isDone: boolean;
  /** Whether only a new start leads on. */
  readonly isMissed: boolean;
  readonly isBusy: boolean;
  readonly cast: Cast;
  readonly money: Money;
  /** The money before the last change. */
  readonly before: Money;
  performStep(): void;
  showWhere(): void;
  restart(): void;
  leave(): void;
}

let shown = '';

/** Draws the panel when its content changed: a press needs its button to stay, and screen readers read every change. */
export function drawPanel(panel: HTMLElement, view: PanelView): void {
  const version = JSON.stringify([view, personName(view.cast.first), personName(view.cast.second)]);
  if (version === shown) return;
  shown = version;
  const focused = panel.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const step = STEPS[view.step];
  panel.replaceChildren(...(step === undefined ? ending(view) : stepOf(view)));
  attributes(panel, { 'data-step': step?.name ?? 'end', 'data-done': String(view.isDone) });
  // The focused element was replaced; screen readers continue at the same place or at the top of the panel.
  if (focused !== undefined) panel.querySelector<HTMLElement>(focused === '' ? 'h2' : `#${focused}`)?.focus();
}

export const focusPanel = (panel: HTMLElement): void =>
  panel.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });

function ending(view: PanelView): HTMLElement[] {
  return [
    element('h2', { tabIndex: -1 }, `✓ ${t.tour.done}`),
    element('p', {}, t.tour.finished),
    moneyStrip(view),
    element(
      'div',
      { className: 'tour-buttons' },
      button('tour-restart', t.tour.restart, view.restart),
      button('tour-finish', t.tour.finish, view.leave, 'button-primary'),
    ),
  ];
}

function stepOf(view: PanelView): HTMLElement[] {
  const { step, isDone, isMissed, isBusy, cast } = view;
  const [title, text, outcome, action] = t.tour.steps[STEPS[step]?.name ?? 'meet'];
  const counted = t.tour.step(step + 1, STEPS.length);
  const bar = element('progress', { max: STEPS.length, value: step + (isDone ? 1 : 0) });
  const last = step === 0 ? undefined : t.tour.steps[STEPS[step - 1]?.name ?? 'meet'][2];
  const past = isDone ? outcome : last;
  const perform = button('tour-perform', fill(action ?? t.tour.perform, cast), view.performStep);
  if (action !== undefined) perform.classList.add('button-primary');
  attributes(perform, { 'aria-disabled': isBusy ? 'true' : undefined });
  return [
    element(
      'div',
      { className: 'tour-head' },
      element('span', { className: 'tour-count' }, counted),
      attributes(bar, { 'aria-label': counted }),
      button('tour-restart', t.tour.restart, view.restart),
      button('tour-leave', t.tour.leave, view.leave),
    ),
    ...(past === undefined ? [] : [element('p', { className: 'tour-outcome' }, `✓ ${fill(past, cast)}`)]),
    element('h2', { tabIndex: -1 }, title),
    ...(isDone ? [] : [element('p', {}, fill(isMissed ? t.tour.missed : text, cast))]),
    element(
      'div',
      { className: 'tour-foot' },
      moneyStrip(view),
      element(
        'div',
        { className: 'tour-buttons', hidden: isDone || isMissed },
        button('tour-where', t.tour.where, view.showWhere),
        perform,
      ),
    ),
  ];
}

/** The publisher's money and what just changed, so that no step has to look for it. */
function moneyStrip({ money, before }: PanelView): HTMLElement {
  const amount = (name: 'available' | 'hold'): HTMLElement => {
    const moved = Math.round((money[name] - before[name]) * 100) / 100;
    const change = element('span', { className: moved < 0 ? 'moved bad' : 'moved good' }, signedRubles(moved));
    return attributes(
      element(
        'span',
        {},
        `${t.tour[name]} `,
        element('strong', {}, rubles(money[name])),
        ...(moved === 0 ? [] : [' ', change]),
      ),
      { 'data-money': name },
    );
  };
  return attributes(element('p', { className: 'tour-money' }, amount('available'), amount('hold')), {
    'aria-label': t.tour.money,
    role: 'group',
  });
}

function button(id: string, label: string, action: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', id, className: `button ${className}`.trim() }, label);
  made.addEventListener('click', action);
  return made;
}

/** Inserts the names of the persons and of the demo bot. */
function fill(text: string, { first, second }: Cast): string {
  return text
    .replaceAll('{first}', inSentence(personName(first)))
    .replaceAll('{second}', inSentence(personName(second)))
    .replaceAll('{share}', String(current().exchange?.publisher_share_percent ?? ''))
    .replaceAll('{club}', inSentence(clubOf(current())?.title ?? 'Film club'));
}
