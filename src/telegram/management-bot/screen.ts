import { InlineKeyboard } from 'grammy';
import type { Html } from '../../core/html.ts';

/** One page of the bot: a text, at times under a picture, and the buttons below it. */
export interface Screen {
  readonly text: Html;
  readonly rows: readonly (readonly Button[])[];
  /** A PNG; the text then is its caption, at most 1024 characters. */
  readonly photo?: Buffer;
}

export type Button =
  | { readonly label: string; readonly press: string }
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly copy: string }
  | { readonly label: string; readonly app: string };

/** Telegram's limits. */
export const MAX_DATA_BYTES = 64;
const MAX_COPY = 256;

/** A button that goes somewhere or does something. What comes back is checked as if anybody had written it. */
export function press(label: string, name: string, ...args: readonly (string | number | bigint)[]): Button {
  const data = [name, ...args].join(':');
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw new Error(`the data of a button is too long: ${data}`);
  return { label, press: data };
}

export const link = (label: string, url: string): Button => ({ label, url });

/** Puts a text into the person's clipboard; a longer one has to be marked by hand. */
export const copy = (label: string, text: string): readonly Button[] =>
  text.length <= MAX_COPY ? [{ label, copy: text }] : [];

/** Opens a page inside Telegram. */
export const openApp = (label: string, url: string): Button => ({ label, app: url });

export function keyboardOf({ rows }: Screen): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const row of rows.filter(({ length }) => length > 0)) {
    for (const button of row) {
      if ('press' in button) keyboard.text(button.label, button.press);
      else if ('url' in button) keyboard.url(button.label, button.url);
      else if ('app' in button) keyboard.webApp(button.label, button.app);
      else keyboard.copyText(button.label, button.copy);
    }
    keyboard.row();
  }
  return keyboard;
}

/** A long list as pages. Ask the store for one item more than a page has: that tells whether there is a next one. */
export const PAGE_SIZE = 8;

export interface Page<Item> {
  readonly number: number;
  readonly items: readonly Item[];
  readonly hasNext: boolean;
}

export function pageOf<Item>(found: readonly Item[], number: number): Page<Item> {
  return { number, items: found.slice(0, PAGE_SIZE), hasNext: found.length > PAGE_SIZE };
}

/** The arrows below a page; none when there is but one. */
export function arrows(
  page: Pick<Page<unknown>, 'number' | 'hasNext'>,
  name: string,
  ...args: readonly (string | number)[]
): Button[] {
  const { number, hasNext } = page;
  return [
    ...(number > 0 ? [press('◀️', name, ...args, number - 1)] : []),
    ...(hasNext ? [press('▶️', name, ...args, number + 1)] : []),
  ];
}

/** Two buttons a row. */
export function inPairs(buttons: readonly Button[]): Button[][] {
  const rows: Button[][] = [];
  for (let index = 0; index < buttons.length; index += 2) rows.push(buttons.slice(index, index + 2));
  return rows;
}
