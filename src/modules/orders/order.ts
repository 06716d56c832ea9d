import { type Kopecks, percentOf } from '../../core/money.ts';
import type { Filters } from '../targeting/index.ts';

export const ORDER_STATUSES = ['moderation', 'active', 'paused', 'completed', 'cancelled', 'rejected'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type ResourceType = 'channel' | 'bot';
/**
 * Why an order is paused: its owner wished so, our bot can no longer check who subscribed, or administrators of the chat
 * keep removing counted users.
 */
export type PauseReason = 'owner' | 'access_lost' | 'removals' | 'low_approval';

/** What users subscribe to. The chat is Telegram's id; for a bot it is the bot's own id. */
export interface Resource {
  readonly id: number;
  readonly type: ResourceType;
  readonly chatId: number;
  /** The advertiser's bot token, sealed; lets us see whether a user started that bot. */
  readonly botTokenEncrypted: Buffer | null;
}

/** Whether only the advertiser's side can tell who subscribed. */
export function isExternal({ type, botTokenEncrypted }: Resource): boolean {
  return type === 'bot' && botTokenEncrypted === null;
}

export interface Order {
  readonly id: number;
  readonly accountId: number;
  readonly resource: Resource;
  readonly name: string;
  readonly title: string;
  readonly link: string;
  readonly status: OrderStatus;
  readonly pauseReason: PauseReason | null;
  /** The advertiser's base price of one subscription. */
  readonly priceKopecks: Kopecks;
  /** What one subscription costs the advertiser: the price times the coefficients of the order's filters. */
  readonly chargeKopecks: Kopecks;
  /** What the publisher earns; coefficients never change it. */
  readonly rewardKopecks: Kopecks;
  readonly quantity: number;
  readonly holdSeconds: number;
  readonly refund: boolean;
  readonly dailyLimit: number | null;
  /** What it asks of users. */
  readonly filters: Filters;
  /** Hours of the business day in which it is shown; all when absent. */
  readonly activeHours: readonly number[] | null;
  /** Whether the daily limit is spread over the day. */
  readonly paceEvenly: boolean;
  /** Bots whose users the advertiser does not want. */
  readonly excludedBotIds: ReadonlySet<number>;
  readonly createdAt: Date;
  /** Another one whenever anything of the order or of its resource was written. */
  readonly version: string;
}

/** As much of an order as decides whether another task of it can be shown, and at which terms. */
export interface OrderTerms
  extends Pick<
    Order,
    | 'id'
    | 'status'
    | 'pauseReason'
    | 'chargeKopecks'
    | 'rewardKopecks'
    | 'quantity'
    | 'holdSeconds'
    | 'refund'
    | 'dailyLimit'
    | 'activeHours'
    | 'paceEvenly'
  > {
  readonly resource: Pick<Resource, 'id' | 'chatId'>;
}

/** The counters that move with every task. */
export interface OrderProgress {
  readonly orderId: number;
  readonly reservedCount: number;
  readonly reservedKopecks: Kopecks;
  readonly countedCount: number;
  readonly unsettledCount: number;
  readonly shownTotal: number;
  readonly confirmedTotal: number;
  /** Counted on `countedDay`; of no meaning on another day. */
  readonly countedToday: number;
  readonly countedDay: string | null;
  readonly reversedTotal: number;
  /** Charged for subscriptions, less what reversals gave back. */
  readonly spentKopecks: Kopecks;
  /** Users whom the advertiser's side approved; refused or did not answer for. Only of orders that it checks. */
  readonly approvedTotal: number;
  readonly declinedTotal: number;
}

export function rewardFor(priceKopecks: Kopecks, publisherSharePercent: number): Kopecks {
  return percentOf(priceKopecks, publisherSharePercent);
}

/** Far more than Telegram has users, and within the database's integers. A single purchase is bounded by its schema. */
export const MAX_ORDER_QUANTITY = 1_000_000_000;

/** How many more tasks of an order can be shown: bounded by its slots, by the day's cap, and by the money not yet promised. */
export function openSlots(
  order: Pick<Order, 'quantity' | 'dailyLimit' | 'chargeKopecks'>,
  progress: OrderProgress,
  escrowKopecks: Kopecks,
  today: string,
): number {
  const slots = order.quantity - progress.countedCount - progress.reservedCount;
  const affordable = Number((escrowKopecks - progress.reservedKopecks) / order.chargeKopecks);
  return Math.max(0, Math.min(slots, affordable, openToday(order.dailyLimit, progress, today)));
}

function openToday(dailyLimit: number | null, progress: OrderProgress, today: string): number {
  if (dailyLimit === null) return Number.POSITIVE_INFINITY;
  const counted = progress.countedDay === today ? progress.countedToday : 0;
  return dailyLimit - counted - progress.reservedCount;
}

/** Subscriptions that were counted and not taken back. */
export function subscribersOf({ confirmedTotal, reversedTotal }: OrderProgress): number {
  return confirmedTotal - reversedTotal;
}

/** Conversion in percent, to two decimals. */
export function conversionPercent({ shownTotal, confirmedTotal }: OrderProgress): number {
  return shownTotal === 0 ? 0 : Math.round((confirmedTotal / shownTotal) * 10_000) / 100;
}

/** The share of users whom the advertiser's side approved, in whole percent; unknown before so many answers. */
export function approvalPercent(
  { approvedTotal, declinedTotal }: Pick<OrderProgress, 'approvedTotal' | 'declinedTotal'>,
  leastAnswers: number,
): number | undefined {
  const answers = approvedTotal + declinedTotal;
  return answers === 0 || answers < leastAnswers ? undefined : Math.round((approvedTotal / answers) * 100);
}

/** The moves an owner, an operator or the service may make. Everything else is refused. */
const TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  moderation: ['active', 'rejected', 'cancelled'],
  active: ['paused', 'completed', 'cancelled'],
  paused: ['active', 'completed', 'cancelled'],
  completed: [],
  cancelled: [],
  rejected: [],
};

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Closed orders keep no money beyond what open tasks were promised. */
export function isClosed(status: OrderStatus): boolean {
  return TRANSITIONS[status].length === 0;
}
