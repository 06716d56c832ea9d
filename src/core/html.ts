/** Escapes text for HTML, both for web pages and for Telegram messages. All user text passes through this function. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Markup that is safe to send. Create it with `html` or `lines`, which let no unescaped text in. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

/** `undefined` and `false` render as nothing, so a template can use `condition && html`…``. */
type Piece = Html | string | number | bigint | readonly Html[] | undefined | false;

/** Template tag that escapes its values, except those that are `Html` already. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.source;
  return Array.isArray(value) ? value.map(render).join('') : escapeHtml(String(value));
}

/** Returns an inline style or script of ours. Its text is not escaped, so it must not be able to end the element. */
export function inline(tag: 'style' | 'script', source: string): Html {
  if (source.includes('</')) throw new Error(`an inline ${tag} contains a closing tag`);
  return new Html(`<${tag}>${source}</${tag}>`);
}

/** Joins the lines of a message. An `undefined` line leaves no empty line. */
export function lines(...items: readonly (Html | undefined)[]): Html {
  return new Html(items.flatMap((item) => (item === undefined ? [] : item.source)).join('\n'));
}

export const EMPTY_LINE = new Html('');

/** Shortens text to at most `most` characters. Counts code points, so it never cuts a surrogate pair. */
export function clip(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
