import { attributes, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { pretty } from '../format.ts';
import { t } from '../texts/index.ts';

/** A line that opens. */
export interface Entry {
  readonly key: string;
  /** Attributes by which styles, the tour and tests find the line. */
  readonly data: Readonly<Record<string, string>>;
  readonly summary: readonly HTMLElement[];
  readonly details: readonly HTMLElement[];
}

const SHOWN = 10;

/** Returns a function that shows the entries: ten at first, all of them after a press of the button below. */
export function entryList<T>(host: HTMLElement, empty: { readonly element: HTMLElement; readonly text: string }) {
  let items: readonly T[] = [];
  let isWhole = false;
  const list = element('div');
  const more = element('button', { type: 'button', className: 'button button-small button-quiet more' });
  host.append(list, more);
  return (fresh: readonly T[], toEntry: (item: T) => Entry): void => {
    items = fresh;
    const draw = (): void => {
      const entries = (isWhole ? items : items.slice(0, SHOWN)).map(toEntry);
      keyedList(list, entries, {
        key: ({ key }) => key,
        version: ({ key, data, summary }) => [key, data, summary.map((part) => part.textContent)],
        render: entryElement,
      });
      more.hidden = items.length <= SHOWN;
      more.textContent = isWhole ? t.less : t.more(items.length - SHOWN);
      empty.element.textContent = items.length === 0 ? empty.text : '';
    };
    more.onclick = () => {
      isWhole = !isWhole;
      draw();
    };
    draw();
  };
}

function entryElement({ data, summary, details }: Entry): HTMLElement {
  return attributes(
    element('details', { className: 'entry' }, element('summary', {}, ...summary), ...details),
    Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])),
  );
}

export const part = (className: string, text: string): HTMLElement => element('span', { className, dir: 'auto' }, text);

/** A text such as JSON under its title. */
export function codeBlock(title: string, text: string | null): HTMLElement {
  const block = element('pre', { className: 'body', tabIndex: 0 }, text === null ? t.calls.nothing : pretty(text));
  attributes(block, { role: 'group', 'aria-label': title });
  return element('div', {}, element('h4', {}, title), block);
}
