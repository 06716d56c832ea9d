import { businessDay, minuteOfBusinessDay } from '../../core/clock.ts';
import { type Kopecks, percentOf } from '../../core/money.ts';
import type { Filters } from '../targeting/index.ts';

export const ORDER_STATUSES = ['moderation', 'active', 'paused', 'completed', 'cancelled', 'rejected'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type ResourceType = 'channel' | 'bot';
/**
 * Why an order is paused: by its owner; because our bot can no longer check memberships; because administrators of the
 * chat keep removing counted users; or because the advertiser's side approves too few users.
 */
export type PauseReason = 'owner' | 'access_lost' | 'removals' | 'low_approval';

/** The resource that users subscribe to. `chatId` is Telegram's id of the chat or of the bot. */
export interface Resource {
  readonly id: number;
  readonly type: ResourceType;
  readonly chatId: number;
  /** The encrypted token of the advertiser's bot, which lets us check whether a user started that bot. */
  readonly botTokenEncrypted: Buffer | null;
  /** The checker bot that checks the members of a channel; absent or null: the management bot. */
  readonly checkerId?: number | null;
}

/** Returns whether only the advertiser's side can check a subscription. */
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
  /** The charge for one subscription: the price times the coefficients of the order's filters. */
  readonly chargeKopecks: Kopecks;
  /** The reward of the publisher; coefficients never change it. */
  readonly rewardKopecks: Kopecks;
  readonly quantity: number;
  readonly holdSeconds: number;
  readonly refund: boolean;
  readonly dailyLimit: number | null;
  /** The rules about users. */
  readonly filters: Filters;
  /** Hours of the business day in which the order is shown; null means all. */
  readonly activeHours: readonly number[] | null;
  /** Whether the daily limit is spread over the day. */
  readonly paceEvenly: boolean;
  /** Bots whose users the advertiser does not want. */
  readonly excludedBotIds: ReadonlySet<number>;
  readonly createdAt: Date;
  /** Changes with every write to the order or to its resource. */
  readonly version: string;
}

/** The fields of an order that decide whether another task can be shown, and at which charge. */
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

/** The counters of an order, which change with every task. */
export interface OrderProgress {
  readonly orderId: number;
  readonly reservedCount: number;
  readonly reservedKopecks: Kopecks;
  readonly countedCount: number;
  readonly unsettledCount: number;
  readonly shownTotal: number;
  readonly confirmedTotal: number;
  /** Subscriptions counted on `countedDay`; meaningless on any other day. */
  readonly countedToday: number;
  readonly countedDay: string | null;
  readonly reversedTotal: number;
  /** The charges for subscriptions minus the refunds of reversals. */
  readonly spentKopecks: Kopecks;
  /**
   * Users that the advertiser's side approved, and users that it rejected or did not reply for. Only for external
   * resources.
   */
  readonly approvedTotal: number;
  readonly declinedTotal: number;
}

export function rewardFor(priceKopecks: Kopecks, publisherSharePercent: number): Kopecks {
  return percentOf(priceKopecks, publisherSharePercent);
}

/**
 * Far more than the number of Telegram users, and within the range of the column. The schema limits a single purchase.
 */
export const MAX_ORDER_QUANTITY = 1_000_000_000;

/** Returns how many more tasks can be shown: limited by the quantity, the daily limit and the unreserved escrow. */
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

/** Returns the number of subscriptions that were counted and not reversed. */
export function subscribersOf({ confirmedTotal, reversedTotal }: OrderProgress): number {
  return confirmedTotal - reversedTotal;
}

/** Returns the conversion in percent with two decimals. */
export function conversionPercent({ shownTotal, confirmedTotal }: OrderProgress): number {
  return shownTotal === 0 ? 0 : Math.round((confirmedTotal / shownTotal) * 10_000) / 100;
}

/** Returns the share of users that the advertiser's side approved, in whole percent; undefined with too few replies. */
export function approvalPercent(
  { approvedTotal, declinedTotal }: Pick<OrderProgress, 'approvedTotal' | 'declinedTotal'>,
  leastAnswers: number,
): number | undefined {
  const answers = approvedTotal + declinedTotal;
  return answers === 0 || answers < leastAnswers ? undefined : Math.round((approvedTotal / answers) * 100);
}

/** The transitions that an owner, an operator or the service may make. All others are rejected. */
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

/** Returns whether the status is final. A closed order keeps only the money that its open tasks reserved. */
export function isClosed(status: OrderStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/** The assumed conversion of a new order: high enough that the order is shown. */
const PRIOR_CONVERSION = 0.5;
const PRIOR_SHOWN = 20;

/** The assumed approval rate before the first replies: most users, but fewer than a membership check would count. */
const PRIOR_APPROVAL = 0.8;
const PRIOR_ANSWERS = 10;

/** Returns the expected earnings of the publisher for one showing of the order, in kopecks. */
export function rankingScore(order: Pick<Order, 'rewardKopecks' | 'resource'>, progress: OrderProgress): number {
  const conversion = (progress.confirmedTotal + PRIOR_CONVERSION * PRIOR_SHOWN) / (progress.shownTotal + PRIOR_SHOWN);
  const approval = isExternal(order.resource) ? expectedApproval(progress) : 1;
  return Number(order.rewardKopecks) * conversion * approval;
}

function expectedApproval({ approvedTotal, declinedTotal }: OrderProgress): number {
  return (approvedTotal + PRIOR_APPROVAL * PRIOR_ANSWERS) / (approvedTotal + declinedTotal + PRIOR_ANSWERS);
}

const MINUTES_PER_HOUR = 60;
const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Returns how many more tasks the timetable of an order allows now: none outside its hours. With even pacing, the part
 * of the daily limit in use never exceeds the elapsed part of the day's active hours.
 */
export function slotsByTimetable(
  order: Pick<Order, 'activeHours' | 'paceEvenly' | 'dailyLimit'>,
  progress: OrderProgress,
  now: Date,
): number {
  const hours = order.activeHours ?? ALL_HOURS;
  const minute = minuteOfBusinessDay(now);
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  if (!hours.includes(hour)) return 0;
  if (!order.paceEvenly || order.dailyLimit === null) return Number.POSITIVE_INFINITY;

  const gone = hours.filter((active) => active < hour).length * MINUTES_PER_HOUR + (minute % MINUTES_PER_HOUR) + 1;
  const share = gone / (hours.length * MINUTES_PER_HOUR);
  const counted = progress.countedDay === businessDay(now) ? progress.countedToday : 0;
  return Math.max(0, Math.ceil(order.dailyLimit * share) - counted - progress.reservedCount);
}
