import { attributes, element } from '../../shared/dom.ts';

const HUES = 6;

/** A circle with the first letter; its colour depends on the name. */
export function avatar(name: string): HTMLElement {
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0) ?? 0;
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  return attributes(element('span', { className: `avatar avatar-${sum % HUES}` }, letter), { 'aria-hidden': 'true' });
}
