/** The terms of an order. In all files of the model, users, bots, accounts, chats and orders are indexes. */
export interface OrderTerms {
  readonly owner: number;
  readonly chat: number;
  readonly priceKopecks: number;
  readonly quantity: number;
  readonly holdHours: number;
  readonly refund: boolean;
  readonly dailyLimit: number | undefined;
}

/** The start of a run. Accounts 0 and 1 own bots 1 and 2 and may advertise. Accounts 2 and 3 only advertise. */
export interface Setup {
  readonly roundMinutes: readonly number[];
  readonly orders: readonly OrderTerms[];
}

/** The result of a confirm. */
export type Outcome = 'counted' | 'not_counted' | 'order_full' | 'not_subscribed' | 'not_shown' | 'no_such_order';
export type Action = 'subscribe' | 'newtask';

export interface Answer {
  readonly orders: readonly number[];
  /** Orders for which a check at the showing found no membership. The service chooses which orders it checks. */
  readonly outside: readonly number[];
  /** The response was so slow that checks may have timed out. The service shows a task if the membership is unknown. */
  readonly wasSlow: boolean;
}

export const USERS = 3;
export const DEPOSITS_KOPECKS = [20_00, 20_00, 100_00, 30_00] as const;
/** The last one is a bot. Telegram sends no updates about its users. */
export const CHATS = ['channel', 'channel', 'channel', 'bot'] as const;

export const orderName = (order: number): string => `order ${order + 1}`;
