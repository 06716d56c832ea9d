import { element } from '../../shared/dom.ts';
import { shareChat } from '../actions.ts';
import { current } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Chat, Conversation, ReplyButton } from '../wire.ts';
import { say } from './conversation.ts';

/** The buttons below the input field. Where a real phone opens a list of chats, each chat has a button here. */
export function replyKeyboardView() {
  const view = element('div', { className: 'keyboard', id: 'reply-keyboard' });
  let shown: string | undefined;
  return {
    element: view,
    draw(chat: Chat, talk: Conversation | null) {
      const rows = talk?.reply_keyboard ?? [];
      view.hidden = rows.length === 0;
      const version = JSON.stringify([chat.chat_id, rows]);
      if (version === shown) return;
      shown = version;
      view.replaceChildren(
        ...rows.map((row) => element('div', { className: 'keyboard-row' }, ...row.flatMap((key) => keysOf(chat, key)))),
      );
    },
  };
}

function keysOf(chat: Chat, { text, chats }: ReplyButton): HTMLElement[] {
  if (chats === undefined) return [keyOf(text, () => void say(chat, text))];
  if (chats.length > 0) {
    return chats.map(({ chat_id, title }) => keyOf(`${text}: ${title}`, () => void share(chat, text, chat_id)));
  }
  const none = keyOf(`${text}: ${t.phone.noChats}`, () => undefined);
  none.disabled = true;
  return [none];
}

function keyOf(label: string, act: () => void): HTMLButtonElement {
  const key = element('button', { type: 'button', className: 'inline-button' }, label);
  key.addEventListener('click', act);
  return key;
}

async function share(chat: Chat, label: string, chatId: number): Promise<void> {
  if (chat.username !== null) await shareChat(current().personId, chat.username, label, chatId);
}
