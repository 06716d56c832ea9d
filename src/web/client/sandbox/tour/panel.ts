import { attributes, element } from '../../shared/dom.ts';
import { personName } from '../phone/persons.ts';
import { current } from '../store.ts';
import { t } from '../texts/index.ts';
import { type Cast, STEPS } from './steps.ts';

/** The content and the actions of the tour's panel. */
export interface PanelView {
  readonly step: number;
  readonly isDone: boolean;
  readonly cast: Cast;
  next(): void;
  showWhere(): void;
  restart(): void;
  leave(): void;
}

export function drawPanel(panel: HTMLElement, view: PanelView): void {
  const hadFocus = panel.contains(document.activeElement);
  const step = STEPS[view.step];
  panel.replaceChildren(...(step === undefined ? ending(view) : stepOf(view)));
  attributes(panel, { 'data-step': step?.name ?? 'end', 'data-done': String(view.isDone) });
  // The focused element is gone; screen readers continue at the top of the panel.
  if (hadFocus) focusPanel(panel);
}

export const focusPanel = (panel: HTMLElement): void =>
  panel.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });

function ending({ restart, leave }: PanelView): HTMLElement[] {
  return [
    element('h2', { tabIndex: -1 }, t.tour.done),
    element('p', {}, t.tour.finished),
    element(
      'div',
      { className: 'tour-buttons' },
      button(t.tour.restart, restart),
      button(t.tour.finish, leave, 'button-primary'),
    ),
  ];
}

function stepOf(view: PanelView): HTMLElement[] {
  const { step, isDone, next, showWhere, restart, leave } = view;
  const name = STEPS[step]?.name ?? 'meet';
  const [title, text, outcome] = t.tour.steps[name];
  const counted = t.tour.step(step + 1, STEPS.length);
  const bar = element('progress', { max: STEPS.length, value: step + (isDone ? 1 : 0) });
  const isLast = step === STEPS.length - 1;
  const done = element(
    'p',
    { className: 'tour-outcome' },
    element('strong', {}, `✓ ${t.tour.done} `),
    fill(outcome, view.cast),
  );
  const buttons = isDone
    ? [button(isLast ? t.tour.finish : t.tour.next, next, 'button-primary')]
    : [button(t.tour.goThere, showWhere), button(t.tour.skip, next)];
  return [
    element(
      'div',
      { className: 'tour-head' },
      element('span', { className: 'tour-count' }, counted),
      attributes(bar, { 'aria-label': counted }),
      button(t.tour.restart, restart),
      button(t.tour.leave, leave),
    ),
    element('h2', { tabIndex: -1 }, title),
    element('p', {}, fill(text, view.cast)),
    element(
      'div',
      { className: 'tour-foot' },
      ...(isDone ? [done] : []),
      element('div', { className: 'tour-buttons' }, ...buttons),
    ),
  ];
}

function button(label: string, action: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', className: `button ${className}`.trim() }, label);
  made.addEventListener('click', action);
  return made;
}

/** Inserts the names of the persons and of the demo bot. */
function fill(text: string, { first, second }: Cast): string {
  const { phone, world } = current();
  const club = phone?.chats.find((chat) => chat.username === world?.demo_bot)?.title ?? 'Film club';
  return text
    .replaceAll('{first}', personName(first))
    .replaceAll('{second}', personName(second))
    .replaceAll('{club}', club);
}
