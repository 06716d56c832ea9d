export interface KeyedListOptions<T> {
  key(item: T): string;
  render(item: T): HTMLElement;
  /** The data that the element shows; the item itself unless given. */
  version?(item: T): unknown;
}

interface Shown {
  readonly element: HTMLElement;
  readonly version: string;
}

const shownIn = new WeakMap<HTMLElement, Map<string, Shown>>();

/**
 * Shows `items` as the children of `parent` and replaces changed elements only: an element that stays keeps its focus,
 * scroll position and unfolded parts.
 */
export function keyedList<T>(parent: HTMLElement, items: readonly T[], options: KeyedListOptions<T>): void {
  const before = shownIn.get(parent) ?? new Map<string, Shown>();
  const now = new Map<string, Shown>();
  for (const item of items) {
    const key = options.key(item);
    const version = JSON.stringify(options.version === undefined ? item : options.version(item));
    const old = before.get(key);
    if (old?.version === version) now.set(key, old);
    else now.set(key, { version, element: replace(old?.element, options.render(item)) });
  }
  const kept = new Set([...now.values()].map((shown) => shown.element));
  for (const child of [...parent.children]) if (!kept.has(child as HTMLElement)) child.remove();
  let place = parent.firstElementChild;
  for (const { element } of now.values()) {
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  shownIn.set(parent, now);
}

const FOCUSABLE = 'button, a[href], summary, input, select, [tabindex]';

/** Replaces the old element and moves the focus to the same place in the new one. */
function replace(old: HTMLElement | undefined, element: HTMLElement): HTMLElement {
  if (old === undefined) return element;
  if (old instanceof HTMLDetailsElement && element instanceof HTMLDetailsElement) element.open = old.open;
  const focused = document.activeElement;
  const place = focused === null ? -1 : focusableIn(old).indexOf(focused);
  old.replaceWith(element);
  const focusTarget = focusableIn(element)[place];
  if (focusTarget instanceof HTMLElement) focusTarget.focus({ preventScroll: true });
  return element;
}

function focusableIn(element: HTMLElement): Element[] {
  return [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)];
}
