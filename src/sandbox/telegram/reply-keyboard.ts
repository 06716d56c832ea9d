import type { KeyboardButtonRequestChat } from 'grammy/types';
import type { Queryable } from '../../core/database.ts';
import { type ChatRoom, isAdmin, type Membership } from './context.ts';
import { findMembership, listAdministered } from './members-store.ts';
import type { StoredMessage } from './messages-store.ts';

/** A button below the input field. A press sends its label as a message, or requests a chat. */
export interface ReplyButton {
  readonly text: string;
  readonly request_chat?: KeyboardButtonRequestChat;
}

/** Returns the keyboard below the input field: the newest one, unless a later message removed it. */
export function replyKeyboardIn(newestFirst: readonly StoredMessage[]): readonly (readonly ReplyButton[])[] {
  for (const { fromPerson, markup } of newestFirst) {
    if (fromPerson || markup === null) continue;
    if ('remove_keyboard' in markup) return [];
    if ('keyboard' in markup && Array.isArray(markup.keyboard)) return markup.keyboard as readonly ReplyButton[][];
  }
  return [];
}

/** Returns whether Telegram's client lets a person choose this chat for a button. */
export function isSuitable(request: KeyboardButtonRequestChat, chat: ChatRoom, membership: Membership | undefined) {
  const { chat_is_channel, chat_has_username, chat_is_created, user_administrator_rights: rights } = request;
  if (chat_is_channel !== (chat.type === 'channel')) return false;
  if (chat_has_username !== undefined && chat_has_username !== (chat.username !== null)) return false;
  if (chat_is_created === true && membership?.status !== 'creator') return false;
  return rights === undefined ? membership?.isMember === true : isAdmin(membership);
}

export interface ShownReplyButton {
  readonly text: string;
  /** For a button that requests a chat: the person's suitable chats. */
  readonly chats?: readonly { readonly chat_id: number; readonly title: string }[];
}

const MAX_SHOWN_CHATS = 20;

/** Returns the keyboard with the suitable chats, for the page. */
export async function showReplyKeyboard(
  db: Queryable,
  userId: number,
  newestFirst: readonly StoredMessage[],
): Promise<readonly (readonly ShownReplyButton[])[]> {
  const rows = replyKeyboardIn(newestFirst);
  if (!rows.flat().some(({ request_chat }) => request_chat !== undefined)) {
    return rows.map((row) => row.map(({ text }) => ({ text })));
  }
  const chats = await listAdministered(db, userId, MAX_SHOWN_CHATS);
  const candidates = await Promise.all(
    chats.map(async (chat) => ({ chat, membership: await findMembership(db, chat.id, userId) })),
  );
  return rows.map((row) =>
    row.map(({ text, request_chat: request }) => {
      if (request === undefined) return { text };
      const suitable = candidates.filter(({ chat, membership }) => isSuitable(request, chat, membership));
      return { text, chats: suitable.map(({ chat }) => ({ chat_id: chat.id, title: chat.title })) };
    }),
  );
}
