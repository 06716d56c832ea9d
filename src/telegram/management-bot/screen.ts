import { InlineKeyboard, Keyboard } from 'grammy';
import { EMPTY_LINE, type Html, html, lines } from '../../core/html.ts';

/** One screen of the bot: a text or a captioned picture, and its buttons. */
export interface Screen {
  readonly text: Html;
  readonly rows: readonly (readonly Button[])[];
  /** A PNG. The text becomes its caption, which Telegram limits to 1024 characters. */
  readonly photo?: Buffer;
  /** Buttons below the input field instead of `rows`. Telegram cannot edit such a message. */
  readonly below?: readonly (readonly BelowButton[])[];
}

/** A button that sends its label as a message, or one that asks the person to choose a chat. */
type BelowButton =
  | { readonly label: string }
  | {
      readonly label: string;
      readonly choose: 'channel' | 'group';
      /** Whether Telegram makes the management bot an administrator of the chosen chat. */
      readonly addsBot: boolean;
    };

export type Button =
  | { readonly label: string; readonly press: string }
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly copy: string }
  | { readonly label: string; readonly app: string };

/** Telegram's limits. */
const MAX_DATA_BYTES = 64;
const MAX_COPY = 256;

/** Returns a button whose press calls the handler of that name. Handlers validate the data: a client can forge it. */
export function press(label: string, name: string, ...args: readonly (string | number | bigint)[]): Button {
  const data = [name, ...args].join(':');
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw new Error(`the data of a button is too long: ${data}`);
  return { label, press: data };
}

export const link = (label: string, url: string): Button => ({ label, url });

/** Returns a button that copies the text, or none when Telegram's limit is exceeded. */
export const copy = (label: string, text: string): readonly Button[] =>
  text.length <= MAX_COPY ? [{ label, copy: text }] : [];

/** Opens a page inside Telegram. */
export const openApp = (label: string, url: string): Button => ({ label, app: url });

/** The service bot needs these rights to check subscriptions and to create invite links. */
const RIGHTS = {
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: true,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
} as const;

/**
 * Telegram lists the person's chats that fit, private ones too, and makes the service bot an administrator of the
 * chosen one. The chosen chat proves nothing: a modified client can send any chat id.
 */
export function keyboardBelow(below: readonly (readonly BelowButton[])[]): Keyboard {
  const keyboard = new Keyboard().resized().oneTime();
  for (const [index, row] of below.entries()) {
    for (const button of row) {
      if (!('choose' in button)) keyboard.text(button.label);
      else {
        keyboard.requestChat(button.label, index + 1, {
          chat_is_channel: button.choose === 'channel',
          user_administrator_rights: RIGHTS,
          ...(button.addsBot && { bot_administrator_rights: RIGHTS }),
        });
      }
    }
    keyboard.row();
  }
  return keyboard;
}

/** Signs that reorder the text around them, and letters with more than two marks, which paint over other lines. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/gu;
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;
const LETTER = '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]';
const RIGHT_TO_LEFT = new RegExp(`${LETTER}(?:(?:${LETTER}|[\\p{M}\\s])*(?:${LETTER}|\\p{M}))?`, 'gu');

/**
 * Keeps names from disturbing the text around them. Without the mark after it, a right-to-left name would also move the
 * figures that follow it.
 */
export const tame = (text: string): string =>
  text
    .replace(REORDERING, '')
    .replace(STACKED_MARKS, '$1')
    .replace(RIGHT_TO_LEFT, (run) => `${run}\u200e`);

export function keyboardOf({ rows }: Pick<Screen, 'rows'>): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const row of rows.filter(({ length }) => length > 0)) {
    for (const button of row) {
      const label = tame(button.label);
      if ('press' in button) keyboard.text(label, button.press);
      else if ('url' in button) keyboard.url(label, button.url);
      else if ('app' in button) keyboard.webApp(label, button.app);
      else keyboard.copyText(label, button.copy);
    }
    keyboard.row();
  }
  return keyboard;
}

/** Items per page. Read one item more than this to learn whether there is a next page. */
export const PAGE_SIZE = 8;

interface Page<Item> {
  readonly number: number;
  readonly items: readonly Item[];
  readonly hasNext: boolean;
}

export function pageOf<Item>(found: readonly Item[], number: number): Page<Item> {
  return { number, items: found.slice(0, PAGE_SIZE), hasNext: found.length > PAGE_SIZE };
}

/** Returns the buttons to the previous and the next page. */
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

export function inRowsOf(size: number, buttons: readonly Button[]): Button[][] {
  const rows: Button[][] = [];
  for (let index = 0; index < buttons.length; index += size) rows.push(buttons.slice(index, index + size));
  return rows;
}

export const inPairs = (buttons: readonly Button[]): Button[][] => inRowsOf(2, buttons);

const BAR_CELLS = 12;

/** Returns a bar of the share that is done, from 0 to 1. */
export function bar(share: number): string {
  const full = Math.floor(Math.min(1, share) * BAR_CELLS);
  return '▓'.repeat(full) + '░'.repeat(BAR_CELLS - full);
}

/** Returns the text with a note above it. A note in plain text is a warning, such as the error in an answer. */
export function withNote(note: Html | string | undefined, text: Html): Html {
  if (note === undefined) return text;
  return lines(typeof note === 'string' ? html`⚠️ ${note}` : note, EMPTY_LINE, text);
}

/**
 * Pages of a list that changes while a person reads it. A page is named by the last item of the page before it (its
 * cursor), so no item is shown twice or skipped. A button carries the cursors of all earlier pages; when they no longer
 * fit into its data, the oldest are dropped, and “back” leads to the first page from there.
 */
const RADIX = 36;
const CURSOR = /^[1-9a-z][0-9a-z]{0,10}$/;

/** Returns the cursors in a button's data. The last one names the page; none means the first page. */
export function cursorsIn(args: readonly string[]): number[] {
  const cursors = args.map((text) => (CURSOR.test(text) ? Number.parseInt(text, RADIX) : Number.NaN));
  return cursors.every(Number.isSafeInteger) ? cursors : [];
}

/** Returns the buttons to the previous and the next page. `next` is undefined on the last page. */
export function cursorArrows(cursors: readonly number[], next: number | undefined, name: string): Button[] {
  return [
    ...(cursors.length > 0 ? [go('◀️', name, cursors.slice(0, -1))] : []),
    ...(next === undefined ? [] : [go('▶️', name, [...cursors, next])]),
  ];
}

function go(label: string, name: string, cursors: readonly number[]): Button {
  const steps = cursors.map((cursor) => cursor.toString(RADIX));
  while (Buffer.byteLength([name, ...steps].join(':')) > MAX_DATA_BYTES) steps.shift();
  return press(label, name, ...steps);
}

/** Reads one page: the items after the last cursor, and the arrows to the pages around it. */
export async function readCursorPage<Item extends { readonly id: number }>(
  cursors: readonly number[],
  name: string,
  read: (cursor: number | undefined, limit: number) => Promise<readonly Item[]>,
): Promise<{ readonly items: readonly Item[]; readonly arrows: Button[] }> {
  // One item more than a page tells whether there is a next page.
  const found = await read(cursors.at(-1), PAGE_SIZE + 1);
  const items = found.slice(0, PAGE_SIZE);
  const next = found.length > PAGE_SIZE ? items.at(-1)?.id : undefined;
  return { items, arrows: cursorArrows(cursors, next, name) };
}
