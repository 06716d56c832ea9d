/** The words that the model, the driver and the commands share. Users, bots, accounts, chats and orders are indexes. */
export interface OrderTerms {
  readonly owner: number;
  readonly chat: number;
  readonly priceKopecks: number;
  readonly quantity: number;
  readonly holdHours: number;
  readonly refund: boolean;
  readonly dailyLimit: number | undefined;
}

/** What a run begins with. Accounts 0 and 1 own bots 1 and 2 and may advertise, 2 and 3 only advertise. */
export interface Setup {
  readonly roundMinutes: readonly number[];
  readonly orders: readonly OrderTerms[];
}

/** What a confirm may come to. */
export type Outcome = 'counted' | 'not_counted' | 'order_full' | 'not_subscribed' | 'not_shown' | 'no_such_order';
export type Action = 'subscribe' | 'newtask';

export interface Answer {
  readonly orders: readonly number[];
  /** Those of whose tasks a check at the showing said that the user was no member. Which ones are checked is the service's choice. */
  readonly outside: readonly number[];
  /** It took so long that checks of candidates may have been given up: an unknown membership means that the task is shown. */
  readonly wasSlow: boolean;
}

export const USERS = 3;
export const DEPOSITS_KOPECKS = [20_00, 20_00, 100_00, 30_00] as const;
/** The last one is a bot, of which Telegram tells us nothing unasked. */
export const CHATS = ['channel', 'channel', 'channel', 'bot'] as const;

export const orderName = (order: number): string => `order ${order + 1}`;
