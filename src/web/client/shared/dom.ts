/** Returns the element with this id; throws when the page has none of this kind. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

type Child = Node | string;

/** Creates an element. Strings become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Sets attributes without a property, such as `aria-…` and `data-…`; `undefined` removes one. */
export function attributes<T extends Element>(element: T, values: Readonly<Record<string, string | undefined>>): T {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  return element;
}
