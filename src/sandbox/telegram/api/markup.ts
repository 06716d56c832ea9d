import type { InlineKeyboardButton } from 'grammy/types';
import type { StoredMarkup } from '../messages-store.ts';
import type { ReplyButton } from '../reply-keyboard.ts';
import { badRequest } from './errors.ts';
import type { Params } from './params.ts';

const MAX_BUTTONS = 100;
const MAX_CALLBACK_BYTES = 64;
/** The actions of a button. Telegram rejects a button that has none. */
const ACTIONS = [
  'callback_data',
  'url',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
  'disabled',
] as const;

type RawButton = Record<string, unknown>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the keyboard of a call. Rejects the mistakes that a bot's author can make. */
export function readMarkup(params: Params): StoredMarkup | null {
  const markup = params.json('reply_markup');
  if (markup === undefined || markup === null) return null;
  if (!isObject(markup)) throw badRequest('object expected as reply markup');
  if (!('inline_keyboard' in markup)) return 'keyboard' in markup ? readReplyKeyboard(markup) : markup;
  const rows = markup.inline_keyboard;
  if (!Array.isArray(rows)) throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  let count = 0;
  const checked = rows.map((row: unknown) => {
    if (!Array.isArray(row)) throw badRequest('inline keyboard row must be an Array');
    count += row.length;
    if (count > MAX_BUTTONS) throw badRequest('REPLY_MARKUP_TOO_LONG');
    return row.map(readButton);
  });
  // A keyboard without buttons is the same as none.
  const inline_keyboard = checked.filter((row) => row.length > 0);
  return inline_keyboard.length === 0 ? null : { inline_keyboard };
}

/** Reads a keyboard below the input field. A string is a button with that label. */
function readReplyKeyboard(markup: Record<string, unknown>): StoredMarkup {
  const rows = markup.keyboard;
  if (!Array.isArray(rows)) throw badRequest('field "keyboard" of the ReplyKeyboardMarkup must be an Array');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row)) throw badRequest('keyboard row must be an Array');
    return row.map(readReplyButton);
  });
  return { ...markup, keyboard };
}

function readReplyButton(given: unknown): ReplyButton {
  const button = typeof given === 'string' ? { text: given } : given;
  if (!isObject(button)) throw badRequest("can't parse keyboard button: KeyboardButton must be an Object");
  if (typeof button.text !== 'string' || button.text.trim() === '') {
    throw badRequest('can\'t parse keyboard button: Field "text" must be a non-empty String');
  }
  const { request_chat: request } = button;
  if (request !== undefined) {
    if (!isObject(request) || !Number.isInteger(request.request_id) || typeof request.chat_is_channel !== 'boolean') {
      throw badRequest('can\'t parse keyboard button: Field "request_chat" is incomplete');
    }
    checkRights(request);
  }
  return button as unknown as ReplyButton;
}

/** A button cannot give a bot rights that it does not require from the user. */
function checkRights({
  user_administrator_rights: user,
  bot_administrator_rights: bot,
}: Record<string, unknown>): void {
  if (!isObject(bot)) return;
  const isWider = Object.entries(bot).some(
    ([right, value]) => value === true && (!isObject(user) || user[right] !== true),
  );
  if (isWider) throw badRequest("can't parse keyboard button: bot_administrator_rights must be a subset");
}

function readButton(button: unknown): InlineKeyboardButton {
  if (!isObject(button)) throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  if (typeof button.text !== 'string' || button.text.trim() === '') {
    throw badRequest('can\'t parse inline keyboard button: Field "text" must be a non-empty String');
  }
  if (!ACTIONS.some((action) => button[action] !== undefined)) {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  checkCallback(button);
  checkUrl(button);
  return button as unknown as InlineKeyboardButton;
}

function checkCallback({ callback_data: data }: RawButton): void {
  if (data === undefined) return;
  const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0;
  if (bytes === 0 || bytes > MAX_CALLBACK_BYTES) throw badRequest('BUTTON_DATA_INVALID');
}

/** Accepts local addresses, unlike Telegram: the sandbox serves its pages there. */
function checkUrl(button: RawButton): void {
  const url = isObject(button.web_app) ? button.web_app.url : button.url;
  if (url === undefined) return;
  if (typeof url !== 'string' || !/^(https?|tg|ton):\/\/\S+$|^[\w-]+(\.[\w-]+)+\S*$/.test(url)) {
    throw badRequest(
      `inline keyboard button URL '${typeof url === 'string' ? url : ''}' is invalid: URL host is empty`,
    );
  }
}
