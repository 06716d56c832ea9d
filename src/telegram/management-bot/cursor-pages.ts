import { type Button, MAX_DATA_BYTES, PAGE_SIZE, press } from './screen.ts';

/**
 * Pages of a list that changes while a person reads it. A page is named by the last item of the page before it (its
 * cursor), so no item is shown twice or skipped. A button carries the cursors of all earlier pages; when they no longer
 * fit into its data, the oldest are dropped, and “back” leads to the first page from there.
 */
const RADIX = 36;
const CURSOR = /^[1-9a-z][0-9a-z]{0,10}$/;

/** Returns the cursors in a button's data. The last one names the page; none means the first page. */
export function cursorsIn(args: readonly string[]): number[] {
  const cursors = args.map((text) => (CURSOR.test(text) ? Number.parseInt(text, RADIX) : Number.NaN));
  return cursors.every(Number.isSafeInteger) ? cursors : [];
}

/** Returns the buttons to the previous and the next page. `next` is undefined on the last page. */
export function cursorArrows(cursors: readonly number[], next: number | undefined, name: string): Button[] {
  return [
    ...(cursors.length > 0 ? [go('◀️', name, cursors.slice(0, -1))] : []),
    ...(next === undefined ? [] : [go('▶️', name, [...cursors, next])]),
  ];
}

function go(label: string, name: string, cursors: readonly number[]): Button {
  const steps = cursors.map((cursor) => cursor.toString(RADIX));
  while (Buffer.byteLength([name, ...steps].join(':')) > MAX_DATA_BYTES) steps.shift();
  return press(label, name, ...steps);
}

/** Returns the items of the page and its arrows. `found` has one item more than a page when there is a next page. */
export function cursorPage<Item extends { readonly id: number }>(
  found: readonly Item[],
  cursors: readonly number[],
  name: string,
): { readonly items: readonly Item[]; readonly arrows: Button[] } {
  const items = found.slice(0, PAGE_SIZE);
  const next = found.length > PAGE_SIZE ? items.at(-1)?.id : undefined;
  return { items, arrows: cursorArrows(cursors, next, name) };
}
