import { language } from './texts/index.ts';
import type { Call, Chat, Exchange, Phone, Subscription, Transfer, Webhooks } from './wire.ts';

/** The latest data of everything that the page shows. */
export interface State {
  /** The person whose phone is shown. */
  readonly personId: number;
  /** The open chat; undefined for the list of chats. */
  readonly chatId: number | undefined;
  /** The `start` parameter of the link that opened the chat. */
  readonly startParam: string | undefined;
  readonly isConnected: boolean;
  /** Whether every part of the data has arrived once. */
  readonly isLoaded: boolean;
  readonly exchange: Exchange | undefined;
  readonly phone: Phone | undefined;
  readonly ledger: readonly Transfer[];
  readonly calls: readonly Call[];
  readonly webhooks: Webhooks;
}

/** The Telegram ids of the two persons of the tour. */
export interface Cast {
  readonly first: number;
  readonly second: number;
}

/** The demo persons of each language: the bots write to them in it. */
export const CASTS: Readonly<Record<'ru' | 'en', Cast>> = {
  ru: { first: 100_001, second: 100_002 },
  en: { first: 100_003, second: 100_004 },
};

const NO_DATA = {
  phone: undefined,
  ledger: [],
  calls: [],
  webhooks: { is_subscribed: false, caught: [] },
} as const;

let state: State = {
  personId: CASTS[language].first,
  chatId: undefined,
  startParam: undefined,
  isConnected: false,
  isLoaded: false,
  exchange: undefined,
  ...NO_DATA,
};

const views: ((state: State) => void)[] = [];
let isScheduled = false;

export const current = (): State => state;

/** Changes the state; several changes before the next frame are drawn once. */
export function change(patch: Partial<State>): void {
  state = { ...state, ...patch };
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    for (const draw of views) draw(state);
  });
}

/** Drops the data of before a reset, so that no part of the page decides by it. */
export const forgetData = (): void => change({ ...NO_DATA, chatId: undefined, startParam: undefined });

/** Calls `draw` with the result of `part` now and after each change of that result. */
export function show<const Part extends readonly unknown[]>(
  part: (state: State) => Part,
  draw: (part: Part) => void,
): void {
  let before: Part | undefined;
  const view = (next: State): void => {
    const now = part(next);
    if (before?.every((value, index) => Object.is(value, now[index])) === true) return;
    before = now;
    draw(now);
  };
  views.push(view);
  view(state);
}

export function chatOpenIn({ chatId, phone }: State): Chat | undefined {
  return chatId === undefined ? undefined : phone?.chats.find((chat) => chat.chat_id === chatId);
}

/** Returns the shown person's subscription to this chat, if a bot was rewarded for it. */
export function subscriptionTo({ exchange, phone }: State, chatId: number): Subscription | undefined {
  const orders = new Set(exchange?.orders.filter((order) => order.chat_id === chatId).map((order) => order.order_id));
  return phone?.subscriptions.find((subscription) => orders.has(subscription.order_id));
}

/** Returns the sandbox's time: the browser's time plus the offset of the moved clock. */
export const sandboxNow = (): Date => new Date(Date.now() + (state.exchange?.clock_ahead_seconds ?? 0) * 1_000);
