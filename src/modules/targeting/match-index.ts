import { type Fact, type Facts, type FilterKey, type Filters, hiddenBy, UNIFORM_FILTERS } from './filters.ts';

/** An item of the index: any object with filters and a rank. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
  readonly filters: Filters;
}

/**
 * Finds the best items for a user without testing each of them. Items are sorted by rank. Every filter has a bitmap for
 * each value seen so far, with one bit for each item that accepts the value. ANDing the bitmaps of a user's values word
 * by word yields the matches best first, so the scan stops early.
 *
 * Items that changed since the build are in a small overlay and are tested one by one. A new build includes them.
 */
export interface MatchIndex<Item extends Ranked> {
  /** Returns the best `limit` items that match and that `isWanted` accepts, best first. */
  match(facts: Facts, limit: number, isWanted: (item: Item) => boolean): Item[];
  has(id: number): boolean;
  items(): Iterable<Item>;
  set(item: Item): void;
  remove(id: number): void;
  /** The number of items in the overlay. The owner rebuilds the index when there are many. */
  readonly pending: number;
}

const WORD = 32;
/** The number of bitmaps per filter. Beyond it (cities) the oldest bitmap is dropped. */
const MAX_VALUES = 512;

const byRank = (a: Ranked, b: Ranked): number => b.score - a.score || a.id - b.id;

/** The items that use one filter, and the bitmaps of the values seen so far. */
interface FilterColumn {
  readonly filterIndex: number;
  readonly positions: number[];
  readonly conditions: unknown[];
  readonly passing: Map<Fact, Uint32Array>;
}

export function buildMatchIndex<Item extends Ranked>(given: Iterable<Item>): MatchIndex<Item> {
  const sorted = [...given].sort(byRank);
  const words = Math.ceil(sorted.length / WORD);
  /** One bit per item; cleared when the item is removed or moves to the overlay. */
  const present = new Uint32Array(words);
  const positionOf = new Map<number, number>();
  const columns: FilterColumn[] = UNIFORM_FILTERS.map((_, filterIndex) => ({
    filterIndex,
    positions: [],
    conditions: [],
    passing: new Map(),
  }));
  const columnOf = new Map<string, FilterColumn>();
  for (const [i, { key }] of UNIFORM_FILTERS.entries()) {
    const column = columns[i];
    if (column !== undefined) columnOf.set(key, column);
  }
  for (const [position, item] of sorted.entries()) {
    positionOf.set(item.id, position);
    setBit(present, position);
    for (const key in item.filters) {
      const condition = item.filters[key as FilterKey];
      const column = columnOf.get(key);
      if (condition === undefined || column === undefined) continue;
      column.positions.push(position);
      column.conditions.push(condition);
    }
  }
  const used = columns.filter((column) => column.positions.length > 0);
  const overlay = new Map<number, Item>();

  function takeOut(id: number): void {
    const position = positionOf.get(id);
    if (position === undefined) return;
    clearBit(present, position);
    positionOf.delete(id);
  }

  /** Returns the bitmaps to AND for a user: one for each filter in use whose value is known. */
  function masksFor(facts: Facts): Uint32Array[] {
    const masks: Uint32Array[] = [present];
    for (const column of used) {
      const fact = facts[column.filterIndex];
      if (fact !== undefined) masks.push(passing(column, fact, words));
    }
    return masks;
  }

  return {
    match(facts, limit, isWanted) {
      const found: Item[] = [];
      if (limit <= 0) return found;
      const masks = masksFor(facts);
      const count = masks.length;
      for (let word = 0; word < words && found.length < limit; word++) {
        let bits = 0xffffffff;
        for (let mask = 0; mask < count && bits !== 0; mask++) bits &= masks[mask]?.[word] ?? 0;
        while (bits !== 0 && found.length < limit) {
          const lowest = bits & -bits;
          const item = sorted[word * WORD + (31 - Math.clz32(lowest))];
          if (item !== undefined && isWanted(item)) found.push(item);
          bits ^= lowest;
        }
      }
      return overlay.size === 0 ? found : withOverlay(found, facts, limit, isWanted);
    },
    has: (id) => overlay.has(id) || positionOf.has(id),
    *items() {
      for (const item of sorted) if (positionOf.has(item.id)) yield item;
      yield* overlay.values();
    },
    set(item) {
      takeOut(item.id);
      overlay.set(item.id, item);
    },
    remove(id) {
      takeOut(id);
      overlay.delete(id);
    },
    get pending() {
      return overlay.size;
    },
  };

  function withOverlay(found: Item[], facts: Facts, limit: number, isWanted: (item: Item) => boolean): Item[] {
    for (const item of overlay.values()) {
      if (hiddenBy(item.filters, facts) === undefined && isWanted(item)) found.push(item);
    }
    return found.sort(byRank).slice(0, limit);
  }
}

/** Returns the bitmap of the items that accept the value. Builds it when the value is first seen. */
function passing(column: FilterColumn, fact: Fact, words: number): Uint32Array {
  const known = column.passing.get(fact);
  if (known !== undefined) return known;
  const bitmap = new Uint32Array(words).fill(0xffffffff);
  const accepts = UNIFORM_FILTERS[column.filterIndex]?.accepts;
  for (const [i, position] of column.positions.entries()) {
    if (accepts?.(column.conditions[i], fact) === false) clearBit(bitmap, position);
  }
  if (column.passing.size >= MAX_VALUES) {
    const [oldest] = column.passing.keys();
    if (oldest !== undefined) column.passing.delete(oldest);
  }
  column.passing.set(fact, bitmap);
  return bitmap;
}

function setBit(bitmap: Uint32Array, position: number): void {
  const word = position >>> 5;
  bitmap[word] = (bitmap[word] ?? 0) | (1 << (position & 31));
}

function clearBit(bitmap: Uint32Array, position: number): void {
  const word = position >>> 5;
  bitmap[word] = (bitmap[word] ?? 0) & ~(1 << (position & 31));
}
