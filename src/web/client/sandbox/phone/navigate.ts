import { CASTS, change, current } from '../store.ts';
import { language } from '../texts/index.ts';
import type { Chat } from '../wire.ts';

const STORAGE_KEY = 'sponsorgate sandbox phone';

/** The chats whose links led to the open chat. */
let trail: number[] = [];

/** Opens a chat, or the list of chats. */
export function openChat(chat: Chat | undefined): void {
  trail = [];
  change({ chatId: chat?.chat_id, startParam: undefined });
  savePhone();
}

/** Opens a chat from a link; the back button returns to the chat with the link. */
export function followLink(chat: Chat, startParam: string | undefined): void {
  const { chatId } = current();
  if (chatId !== undefined && chatId !== chat.chat_id) trail.push(chatId);
  change({ chatId: chat.chat_id, startParam });
  savePhone();
}

export function goBack(): void {
  change({ chatId: trail.pop(), startParam: undefined });
  savePhone();
}

export function becomePerson(personId: number): void {
  if (personId === current().personId) return;
  trail = [];
  change({ personId, chatId: undefined, startParam: undefined, phone: undefined });
  savePhone();
}

/** Restores the phone after a reload. After a change of language, the demo person of that language takes over. */
export function restorePhone(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Readonly<Record<string, unknown>>;
    const { personId, chatId } = kept;
    const other = CASTS[language === 'ru' ? 'en' : 'ru'];
    if (kept.language !== language && (personId === other.first || personId === other.second)) return;
    if (Number.isSafeInteger(personId)) change({ personId: personId as number });
    if (Number.isSafeInteger(chatId)) change({ chatId: chatId as number });
  } catch {
    // The stored text is invalid; the page starts with the first person.
  }
}

function savePhone(): void {
  const { personId, chatId } = current();
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ personId, chatId, language }));
}
