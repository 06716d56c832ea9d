import { InlineKeyboard, Keyboard } from 'grammy';
import type { Html } from '../../core/html.ts';

/** One page of the bot: a text, at times under a picture, and the buttons below it. */
export interface Screen {
  readonly text: Html;
  readonly rows: readonly (readonly Button[])[];
  /** A PNG; the text then is its caption, at most 1024 characters. */
  readonly photo?: Buffer;
  /** Buttons below the input field instead of `rows`; such a message cannot be edited. */
  readonly below?: readonly (readonly BelowButton[])[];
}

/** A label that is sent as a message, or the request for one of the person's chats. */
export type BelowButton = { readonly label: string } | { readonly label: string; readonly choose: 'channel' | 'group' };

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

/** Without these rights our bot can neither check subscriptions nor make an invite link. */
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
 * Telegram lists the chats that fit, private ones too, and makes our bot an administrator of the chosen one. The chat
 * itself is not proof of anything: a client that was tampered with can name any.
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
          bot_administrator_rights: RIGHTS,
        });
      }
    }
    keyboard.row();
  }
  return keyboard;
}

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
