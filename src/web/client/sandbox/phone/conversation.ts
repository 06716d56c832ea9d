import { attributes, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { openWebApp, press, readConversation, writeTo } from '../actions.ts';
import { ask, openDialog, toast } from '../dialogs.ts';
import { change, current } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Chat, Conversation, Message } from '../wire.ts';
import { type Destination, destinationOf } from './destination.ts';
import { messageBubble } from './message.ts';
import { followLink } from './navigate.ts';
import { openAddBot } from './own-chats.ts';

/** The pressed button that the bot has not answered yet, as `message:data`. */
let pressed: string | undefined;
const AT_END = 40;
const WAIT_MS = 500;
const MAX_WAITS = 40;

export function conversationView(): {
  readonly list: HTMLOListElement;
  draw(chat: Chat, talk: Conversation | null): void;
} {
  const list = element('ol', { className: 'conversation', tabIndex: 0 });
  attributes(list, { 'aria-label': t.phone.conversation, 'aria-live': 'polite', 'aria-relevant': 'additions' });
  let shownChat: number | undefined;
  let isAtEnd = true;
  const toEnd = (): void => {
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  };
  list.addEventListener('load', toEnd, true); // a picture has no height before it is loaded
  return {
    list,
    draw(chat, talk) {
      isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < AT_END || shownChat !== chat.chat_id;
      shownChat = chat.chat_id;
      const messages = talk?.messages ?? [];
      const chats = current().phone?.chats ?? [];
      const actions = {
        chats,
        press: (message: Message, data: string) => void pressButton(chat, message, data),
        say: (text: string) => void say(chat, text),
        openWebApp: (url: string) => void startMiniApp(chat, url),
        follow,
      };
      keyedList(list, messages, {
        key: (message) => `${chat.chat_id}:${message.message_id}`,
        // A link changes once its chat is in the list.
        version: (message) => [message, message.keyboard.length > 0 ? chats.length : 0],
        render: (message) => messageBubble(message, actions),
      });
      const hint = chat.is_service ? t.phone.aboutBot : t.phone.silentBot;
      attributes(list, { 'data-hint': messages.length === 0 && talk !== null ? hint : undefined });
      markPressed(list);
      toEnd();
    },
  };
}

export async function say(chat: Chat, text: string): Promise<void> {
  if (chat.username === null) return;
  change({ startParam: undefined });
  await writeTo(current().personId, chat.username, text);
}

/** Another button can be pressed before the bot has replied, as on a real phone. The same one waits for the reply. */
async function pressButton(chat: Chat, message: Message, data: string): Promise<void> {
  const { personId } = current();
  const button = `${message.message_id}:${data}`;
  if (pressed === button || chat.username === null) return;
  pressed = button;
  markPressed(document);
  try {
    if (await press(personId, chat.username, data, message.message_id)) {
      await showNotice(personId, chat.username, () => pressed === button);
    }
  } finally {
    if (pressed === button) pressed = undefined;
    markPressed(document);
  }
}

/**
 * Shows the bot's reply to a pressed button. The button spins until the bot replies, as on a real phone. Stops when the
 * person has pressed another button.
 */
async function showNotice(personId: number, bot: string, isLastPressed: () => boolean): Promise<void> {
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const talk = await readConversation(personId, bot);
    if (talk === undefined || !isLastPressed()) return;
    if (!talk.is_waiting) {
      if (talk.notice?.show_alert) await ask(talk.notice.text);
      else if (talk.notice !== null) toast(talk.notice.text);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

function markPressed(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLElement>('.inline-button[data-press]')) {
    const message = button.closest<HTMLElement>('[data-message]')?.dataset.message;
    const isPressed = pressed === `${message}:${button.dataset.press}`;
    attributes(button, { 'aria-busy': isPressed ? 'true' : undefined });
  }
}

async function startMiniApp(chat: Chat, url: string): Promise<void> {
  if (chat.username === null) return;
  const opened = await openWebApp(current().personId, chat.username, url);
  if (opened !== undefined) showMiniApp(chat.title, opened.url);
}

function follow(destination: Destination): void {
  if (destination.kind === 'chat') followLink(destination.chat, destination.startParam);
  if (destination.kind === 'add_bot') openAddBot(destination.bot, destination.to);
  if (destination.kind === 'mini_app') void startMiniApp(destination.bot, destination.url);
}

/**
 * Shows a Mini App over the phone's screen. One from another origin opens in a new tab, because we must not frame it.
 */
function showMiniApp(title: string, url: string): void {
  const tab = element('a', { href: url, target: '_blank', rel: 'noopener', className: 'button' }, t.phone.newTab);
  const close = element('button', { type: 'button', className: 'button' }, t.phone.close);
  const bar = element('div', { className: 'mini-app-bar' }, element('strong', { dir: 'auto' }, title), tab, close);
  const frame = element('iframe', { title: t.phone.miniApp });
  const isOurs = new URL(url).origin === location.origin;
  if (isOurs) frame.src = url;
  const dialog = openDialog(`${t.phone.miniApp}: ${title}`, 'mini-app', ...(isOurs ? [bar, frame] : [bar]));
  close.addEventListener('click', () => dialog.close());
  // Mini Apps send messages to the frame around them, as in Telegram's web versions.
  const listen = (event: MessageEvent<unknown>): void => {
    if (event.source !== frame.contentWindow) return;
    const posted = readEvent(event.data);
    if (posted.eventType === 'web_app_close') dialog.close();
    if (posted.eventType !== 'web_app_open_tg_link') return;
    // The Mini App leads into a chat: Telegram closes it and opens the chat.
    dialog.close();
    follow(destinationOf(`https://t.me${String(posted.eventData?.path_full)}`, current().phone?.chats ?? []));
  };
  addEventListener('message', listen);
  dialog.addEventListener('close', () => removeEventListener('message', listen));
}

interface MiniAppEvent {
  readonly eventType?: unknown;
  readonly eventData?: { readonly path_full?: unknown } | null;
}

/** Reads what a Mini App posted. Any page in the frame may post anything. */
function readEvent(data: unknown): MiniAppEvent {
  try {
    const event: unknown = JSON.parse(String(data));
    return typeof event === 'object' && event !== null ? event : {};
  } catch {
    return {};
  }
}
