/** User text becomes HTML nowhere but here: for web pages and for Telegram's messages alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Markup that is safe to send. Only `html` makes it, so text that is not escaped has no way in. */
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

/** A template whose values are escaped, unless they are markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.source;
  return Array.isArray(value) ? value.map(render).join('') : escapeHtml(String(value));
}

/** Lines of a message, one under the other; what is absent leaves no empty line. */
export function lines(...items: readonly (Html | undefined)[]): Html {
  return new Html(items.flatMap((item) => (item === undefined ? [] : item.source)).join('\n'));
}

export const EMPTY_LINE = new Html('');

/** User text where there is room for so many characters only. Never cuts a character in two. */
export function clip(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
