import { type Button, MAX_DATA_BYTES, press } from './screen.ts';

/**
 * Pages of a list that changes while somebody turns them. A page is named by the item it begins behind, so nothing is
 * shown twice or skipped. The button carries the way here, as far back as fits; from further back it leads to the start.
 */
const RADIX = 36;
const CURSOR = /^[1-9a-z][0-9a-z]{0,10}$/;

/** The way to the page that a button names: the last one is the page itself, none is the first page. */
export function wayIn(args: readonly string[]): number[] {
  const way = args.map((text) => (CURSOR.test(text) ? Number.parseInt(text, RADIX) : Number.NaN));
  return way.every(Number.isSafeInteger) ? way : [];
}

/** The arrows below a page. `next` is what the next one begins behind; nothing on the last. */
export function wayArrows(way: readonly number[], next: number | undefined, name: string): Button[] {
  return [
    ...(way.length > 0 ? [go('◀️', name, way.slice(0, -1))] : []),
    ...(next === undefined ? [] : [go('▶️', name, [...way, next])]),
  ];
}

function go(label: string, name: string, way: readonly number[]): Button {
  const steps = way.map((cursor) => cursor.toString(RADIX));
  while (Buffer.byteLength([name, ...steps].join(':')) > MAX_DATA_BYTES) steps.shift();
  return press(label, name, ...steps);
}

/** What the page after this one begins behind. `found` has one item more than a page when there is such a page. */
export function nextBehind<Item extends { readonly id: number }>(
  found: readonly Item[],
  pageSize: number,
): number | undefined {
  return found.length > pageSize ? found[pageSize - 1]?.id : undefined;
}
