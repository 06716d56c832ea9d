import { businessDay } from '../../../core/clock.ts';
import type { Transaction } from '../../../core/database.ts';
import type { Kopecks } from '../../../core/money.ts';
import { escrow, readBalances } from '../../ledger/index.ts';
import { findTerms, isClosed, openSlots, type ProgressOf } from '../../orders/index.ts';
import type { Task, TaskKey } from '../task.ts';

/** A confirm whose user is a member by the check of this request. */
export interface MemberConfirm extends TaskKey {
  readonly wasMemberBefore: boolean;
  /** Whether publisher and advertiser appear to be one owner. */
  readonly isSelfDealing: boolean;
  /** Whether the join is dated after the showing and waits for no human check. Until then the reward stays in hold. */
  readonly isDated: boolean;
  /** Whether only the advertiser's side can check the user. */
  readonly awaitsProvider: boolean;
  /** Whether the task was already decided when it was read. */
  readonly wasDecided: boolean;
  readonly advertiserId: number;
  /** The least hold of the source; 0 leaves the hold to the order. */
  readonly leastHoldSeconds: number;
  /** Whether the window grows with that hold. */
  readonly extendsWindow: boolean;
  /** The percent of the order that the source may fill; null means no cap. */
  readonly orderShare: number | null;
  /** How many more subscriptions of the user may be counted, as the request read it. */
  readonly countableLeft: number;
  /** When the request read it. */
  readonly readAt: Date;
  /** Confirms of the same user that this process has not answered yet, this one included. */
  readonly inFlight: number;
  readonly now: Date;
}

/** A confirm with its task as locked. */
export interface ConfirmedTask extends MemberConfirm {
  readonly task: Task;
  /** The part of the hold in which a leave reverses the reward, if it is longer than the usual window. */
  readonly windowSeconds: number;
}

/** Something that confirms of a batch use up: the slots of an order, the share of a source, the limit of a user. */
export interface Room {
  has(item: ConfirmedTask): boolean;
  /** Takes a place for a confirm that is counted. */
  take(item: ConfirmedTask): void;
}

/**
 * Reads which orders still have a slot and the money for confirms without a reservation, at the terms of their tasks. A
 * closed order has returned its money and counts as full. Without such confirms it makes no query.
 */
export async function findSlots(tx: Transaction, late: readonly ConfirmedTask[], progress: ProgressOf): Promise<Room> {
  if (late.length === 0) return ENDLESS;
  const orderIds = [...new Set(late.map(({ orderId }) => orderId))];
  const [terms, escrowOf] = await Promise.all([findTerms(tx, orderIds), readBalances(tx, orderIds.map(escrow))]);
  const termsOf = new Map(terms.map((order) => [order.id, order]));
  const isLate = new Set(late);
  const taken = new Map<number, { readonly count: number; readonly kopecks: Kopecks }>();
  const takenOf = (orderId: number) => taken.get(orderId) ?? { count: 0, kopecks: 0n };
  // The counters include the reservation of a lapsed task that the expiry job has not reached yet.
  const isReserved = ({ state }: Task): boolean => state === 'shown';
  return {
    has(item) {
      if (!isLate.has(item)) return true;
      const { task, now } = item;
      const order = termsOf.get(task.orderId);
      const counters = progress.get(task.orderId);
      if (order === undefined || counters === undefined || isClosed(order.status)) return false;
      const own = isReserved(task) ? 1 : 0;
      const { count, kopecks } = takenOf(order.id);
      const slots = openSlots(
        { ...order, chargeKopecks: task.chargeKopecks },
        {
          ...counters,
          reservedCount: counters.reservedCount - own + count,
          reservedKopecks: counters.reservedKopecks - (own === 1 ? task.chargeKopecks : 0n) + kopecks,
        },
        escrowOf(escrow(order.id)),
        businessDay(now),
      );
      return slots >= 1;
    },
    take(item) {
      const { task } = item;
      if (!isLate.has(item) || isReserved(task)) return;
      const { count, kopecks } = takenOf(task.orderId);
      taken.set(task.orderId, { count: count + 1, kopecks: kopecks + task.chargeKopecks });
    },
  };
}

/** Has room for every confirm. */
export const ENDLESS: Room = { has: () => true, take: () => undefined };
