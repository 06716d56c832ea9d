import { element } from '../../shared/dom.ts';
import type { Entity } from '../wire.ts';

/** Creates the elements for links and commands in a text. */
export interface TextActions {
  link(text: Node, url: string): HTMLElement;
  command(text: string): HTMLElement;
}

type Wrap = (inside: DocumentFragment, entity: Entity, text: string, actions: TextActions) => Node;

const simple =
  (name: 'strong' | 'em' | 'u' | 's' | 'code' | 'pre' | 'blockquote'): Wrap =>
  (inside) =>
    element(name, {}, inside);

const WRAPS: Readonly<Record<string, Wrap>> = {
  bold: simple('strong'),
  italic: simple('em'),
  underline: simple('u'),
  strikethrough: simple('s'),
  code: simple('code'),
  pre: (inside) => {
    const block = element('pre', {}, inside);
    block.tabIndex = 0; // lets the keyboard scroll long lines
    return block;
  },
  blockquote: simple('blockquote'),
  spoiler: (inside) => element('span', { className: 'spoiler' }, inside),
  text_link: (inside, entity, text, actions) => actions.link(inside, entity.url ?? text),
  url: (inside, _entity, text, actions) => actions.link(inside, text),
  mention: (inside, _entity, text, actions) => actions.link(inside, `https://t.me/${text.slice(1)}`),
  bot_command: (_inside, _entity, text, actions) => actions.command(text),
};

/** Returns a message's text with its entities as elements. The text is never parsed as markup. */
export function formatted(text: string, entities: readonly Entity[], actions: TextActions): DocumentFragment {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return span(text, 0, text.length, sorted, actions);
}

function span(text: string, start: number, end: number, sorted: readonly Entity[], actions: TextActions) {
  const made = document.createDocumentFragment();
  let position = start;
  for (let index = 0; index < sorted.length; index++) {
    const entity = sorted[index];
    if (entity === undefined || entity.offset < position || entity.offset + entity.length > end) continue;
    const wrap = WRAPS[entity.type];
    if (wrap === undefined) continue;
    const close = entity.offset + entity.length;
    made.append(text.slice(position, entity.offset));
    const inside = span(text, entity.offset, close, sorted.slice(index + 1), actions);
    made.append(wrap(inside, entity, text.slice(entity.offset, close), actions));
    position = close;
  }
  made.append(text.slice(position, end));
  return made;
}
