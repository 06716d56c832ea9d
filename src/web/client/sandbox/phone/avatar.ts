import { attributes, element } from '../../shared/dom.ts';

const HUES = 6;
/** Splits at what a reader sees as one character: a letter keeps its combining marks. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A circle with the first letter; its colour depends on the name. */
export function avatar(name: string): HTMLElement {
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0) ?? 0;
  const [first] = characters.segment(name.trim());
  const letter = first?.segment.toUpperCase() ?? '?';
  return attributes(element('span', { className: `avatar avatar-${sum % HUES}` }, letter), { 'aria-hidden': 'true' });
}
