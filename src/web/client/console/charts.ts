import { attributes, element } from '../shared/dom.ts';

/** Shows the figures of a chart's column beside the pointer, after a touch, and with the arrow keys. */
export function addTooltips(): void {
  for (const plot of document.querySelectorAll<HTMLElement>('.plot')) followColumns(plot);
}

function followColumns(plot: HTMLElement): void {
  const columns = [...plot.querySelectorAll<SVGRectElement>('.column')];
  // The browser's own tooltip would cover ours.
  const texts = columns.map((column) => {
    const title = column.querySelector('title');
    const lines = title?.textContent?.split('\n') ?? [];
    title?.remove();
    return lines;
  });
  const tip = attributes(element('div', { className: 'chart-tip', hidden: true }), { role: 'status' });
  plot.append(tip);
  let shown = -1;
  let pinned = -1;

  function show(index: number): void {
    const column = columns[index];
    const [label = '', ...figures] = texts[index] ?? [];
    if (column === undefined) return;
    columns[shown]?.classList.remove('is-shown');
    column.classList.add('is-shown');
    shown = index;
    tip.replaceChildren(element('strong', {}, label), ...figures.map((figure) => element('span', {}, figure)));
    tip.hidden = false;
    const [frame, box] = [plot.getBoundingClientRect(), column.getBoundingClientRect()];
    const middle = box.left + box.width / 2 - frame.left;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(middle, half), Math.max(frame.width - half, half))}px`;
  }

  function hide(): void {
    tip.hidden = true;
    columns[shown]?.classList.remove('is-shown');
    shown = -1;
  }

  /** Opens the page behind a column. A column without one does nothing. */
  function follow(index: number): void {
    const { href } = columns[index]?.dataset ?? {};
    if (href !== undefined) location.assign(href);
  }

  for (const [index, column] of columns.entries()) {
    column.addEventListener('pointerenter', () => show(index));
    // The first touch shows the figures, a second one opens the page; a mouse has shown them before the click.
    let wasShown = false;
    column.addEventListener('pointerdown', (event) => {
      wasShown = shown === index && (event.pointerType === 'mouse' || pinned === index);
      pinned = index;
      show(index);
    });
    column.addEventListener('click', () => {
      if (wasShown) follow(index);
    });
  }
  plot.addEventListener('pointerleave', (event) => {
    // After a touch the figures stay until the next one.
    if (event.pointerType === 'mouse') hide();
  });
  document.addEventListener('pointerdown', (event) => {
    if (event.target instanceof Node && !plot.contains(event.target)) hide();
  });

  const moves: Readonly<Record<string, () => number>> = {
    ArrowRight: () => Math.min(shown + 1, columns.length - 1),
    ArrowLeft: () => (shown < 0 ? columns.length - 1 : Math.max(shown - 1, 0)),
    Home: () => 0,
    End: () => columns.length - 1,
  };
  plot.tabIndex = 0;
  plot.addEventListener('focus', () => {
    if (shown < 0 && plot.matches(':focus-visible')) show(columns.length - 1);
  });
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      show(move());
    } else if (event.key === 'Escape') hide();
    else if (event.key === 'Enter') follow(shown);
  });
}
