import assert from 'node:assert/strict';
import { Person, plain, type SeenMessage } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { LABELS, type Labels, type Language } from './advertiser-labels.ts';

/** The Telegram id of the service bot in every sandbox. */
export const SERVICE_BOT = 700_000_001;

export interface Advertiser {
  readonly person: Person;
  readonly accountId: number;
  readonly labels: Labels;
}

/** Creates a person who has started the bot and has money in the account. */
export async function arrive(sandbox: Sandbox, language: Language, deposit = 5_000): Promise<Advertiser> {
  const person = await Person.arrive(sandbox, { language_code: language, first_name: 'Olga' });
  await person.say('/start');
  const { account_id: accountId } = await sandbox.control('POST', '/accounts', { user_id: person.id, deposit });
  return { person, accountId, labels: LABELS[language] };
}

export interface Channel {
  readonly chatId: number;
  readonly title: string;
  readonly username: string;
}

/** Creates a chat that the person owns and the service bot is not a member of. */
export async function ownChannel(
  sandbox: Sandbox,
  person: Person,
  chat: { title?: string; private?: boolean; type?: 'channel' | 'supergroup'; anonymous?: boolean } = {},
): Promise<Channel> {
  const { title = 'Evening news', type = 'channel' } = chat;
  const body = { type, title, ...(chat.private === true && { private: true }) };
  const { chat_id: chatId, link } = await sandbox.control('POST', '/chats', body);
  await sandbox.control('DELETE', `/chats/${chatId}/members/${SERVICE_BOT}?silent=true`);
  const standing = `status=creator&anonymous=${chat.anonymous === true}&silent=true`;
  await sandbox.control('PUT', `/chats/${chatId}/members/${person.id}?${standing}`);
  return { chatId, title, username: String(link).replace('https://t.me/', '') };
}

/** Makes the service bot an administrator on behalf of the person. Returns the menu after the bot has handled it. */
export async function letIn(sandbox: Sandbox, person: Person, { chatId }: Channel): Promise<SeenMessage> {
  await sandbox.control('PUT', `/chats/${chatId}/members/${SERVICE_BOT}?status=administrator&by=${person.id}`);
  return person.menu();
}

export async function throwOut(sandbox: Sandbox, person: Person, { chatId }: Channel): Promise<void> {
  await sandbox.control('DELETE', `/chats/${chatId}/members/${SERVICE_BOT}?status=kicked&by=${person.id}`);
}

/** Starts a new order and goes to the question about the resource. */
export async function startOrder({ person, labels }: Advertiser, kind: 'channel' | 'bot'): Promise<SeenMessage> {
  await person.say('/start');
  return person.go(labels.orders, labels.newOrder, labels[kind]);
}

/** Answers all questions from the title on with the simplest answer. Returns the summary. */
export async function answerTheRest(
  { person, labels }: Advertiser,
  { price = '10', quantity = '100' }: { price?: string; quantity?: string } = {},
): Promise<SeenMessage> {
  await person.press(labels.keepTitle);
  await person.say(price);
  await person.say(quantity);
  return person.go(labels.noLimit, labels.allDay, labels.next, labels.next);
}

/** Creates an order in the bot for a channel that the person owns. */
export async function orderChannel(
  sandbox: Sandbox,
  advertiser: Advertiser,
  terms: { price?: string; quantity?: string; title?: string } = {},
): Promise<{ orderId: number; channel: Channel }> {
  const { person, labels } = advertiser;
  const channel = await ownChannel(sandbox, person, terms.title === undefined ? {} : { title: terms.title });
  await startOrder(advertiser, 'channel');
  await letIn(sandbox, person, channel);
  await answerTheRest(advertiser, terms);
  return { orderId: orderIdIn(await person.press(labels.create)), channel };
}

/** Returns the order's id from its page. */
export function orderIdIn({ text }: SeenMessage): number {
  const found = /(?:Заказ №|Order )(\d+)/.exec(text)?.[1];
  assert.ok(found !== undefined, `not the page of an order: ${text}`);
  return Number(found);
}

export const says = (menu: SeenMessage, expected: RegExp): void => assert.match(plain(menu.text), expected);

/** Returns the account's orders from the sandbox's state. */
export async function ordersOf(sandbox: Sandbox, accountId: number): Promise<{ order_id: number; status: string }[]> {
  const { orders } = await sandbox.control('GET', '/state');
  return orders.filter((order: { account_id: number }) => order.account_id === accountId);
}
