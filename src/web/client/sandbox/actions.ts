import { toast } from './dialogs.ts';
import { t } from './texts/index.ts';
import type { Conversation, FaultMode, Person } from './wire.ts';

interface Refusal {
  readonly message?: string;
}

/** Calls a control endpoint of the sandbox. Shows a refusal to the visitor and returns undefined. */
async function send<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(path, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const result = (text === '' ? {} : JSON.parse(text)) as T & Refusal;
    if (response.ok) return result as T;
    toast(result.message ?? t.failed, 'bad');
  } catch {
    toast(t.offline, 'bad');
  }
  return undefined;
}

const isDone = (result: unknown): boolean => result !== undefined;

export const writeTo = async (personId: number, bot: string, text: string) =>
  isDone(await send('POST', `/sandbox/persons/${personId}/messages`, { bot, text }));

export const press = async (personId: number, bot: string, data: string, messageId: number) =>
  isDone(await send('POST', `/sandbox/persons/${personId}/presses`, { bot, data, message_id: messageId }));

export const shareChat = async (personId: number, bot: string, button: string, chatId: number) =>
  isDone(await send('POST', `/sandbox/persons/${personId}/presses`, { bot, button, chat_id: chatId }));

export const readConversation = (personId: number, bot: string) =>
  send<Conversation>('GET', `/sandbox/persons/${personId}/messages?bot=${bot}`);

export const join = async (chatId: number, personId: number) =>
  isDone(await send('PUT', `/sandbox/chats/${chatId}/members/${personId}`));

export const leave = async (chatId: number, personId: number) =>
  isDone(await send('DELETE', `/sandbox/chats/${chatId}/members/${personId}`));

export const moveClock = async (hours: number) =>
  isDone(await send('POST', '/sandbox/clock', { advance_seconds: hours * 3600 }));

export const reset = async () => isDone(await send('POST', '/sandbox/reset'));

/** Sets the faults of the emulated Telegram: those of before are cleared. */
export const setFaults = async (modes: readonly FaultMode[]) => {
  let isSet = isDone(await send('POST', '/sandbox/faults', { mode: 'none' }));
  for (const mode of modes) isSet &&= isDone(await send('POST', '/sandbox/faults', { mode }));
  return isSet;
};

export const findPersons = (text: string) =>
  send<{ persons: readonly Person[] }>('GET', `/sandbox/persons?${new URLSearchParams({ text })}`);

export const addPerson = (person: { first_name: string; language_code: string; is_premium: boolean }) =>
  send<{ user_id: number }>('POST', '/sandbox/users', person);

export const createOwnChat = (personId: number, type: 'channel' | 'supergroup', title: string) =>
  send<{ chat_id: number }>('POST', `/sandbox/persons/${personId}/chats`, { type, title });

export const addBotToChat = async (personId: number, chatId: number, bot: string) =>
  isDone(await send('PUT', `/sandbox/persons/${personId}/chats/${chatId}/bots/${bot}`));

export const openWebApp = (personId: number, bot: string, url: string) =>
  send<{ url: string }>('POST', `/sandbox/persons/${personId}/web-app`, { bot, url });

export const verifyLedger = () => send<{ balanced: boolean; total_kopecks: number }>('GET', '/sandbox/ledger');

const EVENTS = [
  'subscription.confirmed',
  'subscription.reversed',
  'subscription.rejected',
  'payout.sent',
  'contest.completed',
  'order.completed',
];

/** Calls the real API with the demo publisher's token, so that the page lists the request. */
export const subscribeToWebhooks = async (token: string, url: string) =>
  isDone(await send('POST', '/api/v1/webhooks', { url, events: EVENTS }, { Auth: token }));
