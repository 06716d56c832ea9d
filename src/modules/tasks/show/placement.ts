import type { Kopecks } from '../../../core/money.ts';
import type { OrderTerms } from '../../orders/index.ts';
import type { BotProgress } from '../counters-store.ts';
import type { Round, Task } from '../task.ts';
import type { ListKey } from '../task-list.ts';
import type { TaskRequest, TaskSource } from './plan-tasks.ts';

/** One request for tasks, with everything that was read and checked before the transaction. */
export interface Placement {
  readonly request: TaskRequest;
  /** The user's list as the row stored it when everything else here was read; undefined without a row. */
  readonly packedTasks: string | undefined;
  /** The profile that the bot sent, to be stored. */
  readonly sent: object;
  /** Best first; a few more than needed, because some may be full by now. */
  readonly candidateIds: readonly number[];
  /** Resources that must not be shown to this user, not even again. */
  readonly barredResources: ReadonlySet<number>;
  /** Resources that the user is a member of by a check of this request. */
  readonly memberResources: ReadonlySet<number>;
  /** Resources that the user is not a member of by a check of this request. */
  readonly outsideResources: ReadonlySet<number>;
  /** The chats that the user is a member of, with the first time the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
  /** Whether Telegram has ever mentioned this user. Any other id may be invented. */
  readonly isKnownToTelegram: boolean;
  /** By order, this user's charge instead of the order's; absent when every user costs the same. */
  readonly charges?: ReadonlyMap<number, UserCharge>;
}

export interface UserCharge {
  /** The order's charge when the user's charge was computed. */
  readonly orderChargeKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
}

/** A list while the plans of the batch change it one after another. */
export interface DraftList extends ListKey {
  readonly accountId: number;
  round: Round | undefined;
  readonly tasks: Map<number, Task>;
  /** Tasks that our bot can no longer check. They stay until they lapse and are not shown. */
  hidden: readonly Task[];
  readonly lapsed: readonly Task[];
  readonly isNew: boolean;
  isChanged: boolean;
}

/** The locked rows of a batch, and the counters as its plans change them. */
export interface PlacementBatch {
  /** By `listKeyOf`; only lists that are as their requests read them. */
  readonly lists: ReadonlyMap<string, DraftList>;
  readonly orders: ReadonlyMap<number, OrderTerms>;
  readonly openSlots: Map<number, number>;
  readonly bots: ReadonlyMap<number, BotProgress>;
  /** Reserved tasks by bot. */
  readonly reservedBy: Map<number, number>;
  readonly lapsed: readonly Task[];
  readonly placed: Task[];
}

const NEW_BOT = { reservedCount: 0, shownTotal: 0, confirmedTotal: 0, reversedTotal: 0 };

/** Returns the orders that one placement may use, and the orders that turn out to be full while it does. */
export function createTaskSource(
  { orders, bots, openSlots, reservedBy }: PlacementBatch,
  placement: Placement,
  { list, reservationsOfNewBot }: { readonly list: DraftList; readonly reservationsOfNewBot: number },
): { readonly source: TaskSource; readonly fullOrders: readonly number[] } {
  const { candidateIds, barredResources, memberResources, outsideResources, memberOf, charges } = placement;
  const { botId } = placement.request;
  const fullOrders: number[] = [];
  const limit = reservationLimit(bots.get(botId) ?? NEW_BOT, {
    ofNewBot: reservationsOfNewBot,
    isKnownToTelegram: placement.isKnownToTelegram,
  });

  const showable = (orderId: number): OrderTerms | undefined => {
    const order = orders.get(orderId);
    if (order === undefined || order.status !== 'active') return undefined;
    if (barredResources.has(order.resource.id)) return undefined;
    if (charges === undefined) return order;
    // When price or filters have changed since, this user's charge is unknown and the order waits for the next request.
    const charge = charges.get(orderId);
    if (charge === undefined || charge.orderChargeKopecks !== order.chargeKopecks) return undefined;
    return { ...order, chargeKopecks: charge.chargeKopecks };
  };
  const isMember = ({ resource }: OrderTerms): boolean =>
    memberResources.has(resource.id) || memberOf.has(resource.chatId);
  const wasMemberBefore = ({ resource }: OrderTerms, task: Task): boolean => {
    const since = memberOf.get(resource.chatId);
    return since !== undefined && since < task.shownAt;
  };
  const source: TaskSource = {
    candidates: candidateIds
      .filter((orderId) => (list.tasks.get(orderId)?.state ?? 'expired') === 'expired')
      .map(showable)
      .filter((order) => order !== undefined)
      .filter((order) => !isMember(order)),
    orderToShowAgain(task) {
      const order = showable(task.orderId);
      return order === undefined || wasMemberBefore(order, task) ? undefined : order;
    },
    hasJoinedSince(task) {
      const order = orders.get(task.orderId);
      return order !== undefined && isMember(order) && !wasMemberBefore(order, task);
    },
    isOutside: ({ resource }) => outsideResources.has(resource.id),
    reserve(order) {
      const left = openSlots.get(order.id) ?? 0;
      const reserved = reservedBy.get(botId) ?? 0;
      const isCapped = reserved >= limit;
      if (left < 1 || (left === 1 && !isCapped)) fullOrders.push(order.id);
      if (left < 1) return undefined;
      if (isCapped) return 'unreserved';
      reservedBy.set(botId, reserved + 1);
      openSlots.set(order.id, left - 1);
      return 'shown';
    },
  };
  return { source, fullOrders };
}

/** Added to the shown tasks of every bot, so that the first subscription of a new bot does not count as 100 %. */
const PRIOR_SHOWN = 20;
/** Reserved tasks per kept subscription of a bot that converts every showing. A bot with 10 % gets a tenth of it. */
const PER_SUBSCRIPTION = 100;
/** The part of a bot's limit that users unknown to Telegram may use: their ids may be invented. */
const SHARE_OF_UNKNOWN = 1 / 4;

/**
 * Returns how many tasks a bot may have reserved at a time: a few at first, and more with every subscription that
 * stays, in proportion to its conversion. Otherwise one bot could reserve every slot of an order with invented users.
 */
export function reservationLimit(
  { shownTotal, confirmedTotal, reversedTotal }: BotProgress,
  { ofNewBot, isKnownToTelegram }: { readonly ofNewBot: number; readonly isKnownToTelegram: boolean },
): number {
  const proven = Math.max(0, confirmedTotal - reversedTotal);
  const conversion = Math.min(1, proven / (shownTotal + PRIOR_SHOWN));
  const limit = ofNewBot + Math.floor(proven * conversion * PER_SUBSCRIPTION);
  return isKnownToTelegram ? limit : Math.max(ofNewBot, Math.floor(limit * SHARE_OF_UNKNOWN));
}
