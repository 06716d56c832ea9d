import { change, current } from '../store.ts';
import type { Chat } from '../wire.ts';

const KEPT_AS = 'sponsorgate sandbox phone';

/** The chats through whose links the open one was reached. */
let trail: number[] = [];

/** Opens a chat on the phone, or its list of chats. */
export function openChat(chat: Chat | undefined): void {
  trail = [];
  change({ chatId: chat?.chat_id, startParam: undefined });
  remember();
}

/** From one chat into another; the way back leads to the first. */
export function followLink(chat: Chat, startParam: string | undefined): void {
  const { chatId } = current();
  if (chatId !== undefined && chatId !== chat.chat_id) trail.push(chatId);
  change({ chatId: chat.chat_id, startParam });
  remember();
}

export function goBack(): void {
  change({ chatId: trail.pop(), startParam: undefined });
  remember();
}

export function becomePerson(personId: number): void {
  if (personId === current().personId) return;
  trail = [];
  change({ personId, chatId: undefined, startParam: undefined, phone: undefined });
  remember();
}

/** The phone survives a reload, and with it the switch of language. */
export function recallPhone(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '{}') as { personId?: unknown; chatId?: unknown };
    if (Number.isSafeInteger(kept.personId)) change({ personId: kept.personId as number });
    if (Number.isSafeInteger(kept.chatId)) change({ chatId: kept.chatId as number });
  } catch {
    // Whatever stands there is not ours; the page begins at its beginning.
  }
}

function remember(): void {
  const { personId, chatId } = current();
  sessionStorage.setItem(KEPT_AS, JSON.stringify({ personId, chatId }));
}
