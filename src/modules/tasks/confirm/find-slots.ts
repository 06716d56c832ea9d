import { businessDay } from '../../../core/clock.ts';
import type { Transaction } from '../../../core/database.ts';
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

/**
 * Splits confirms without a reservation into those whose order still has a slot and the money, at the terms of the task,
 * and those whose order is full. A closed order has returned its money and counts as full.
 */
export async function findSlots(
  tx: Transaction,
  late: readonly ConfirmedTask[],
  progress: ProgressOf,
): Promise<{ readonly payable: readonly ConfirmedTask[]; readonly full: readonly ConfirmedTask[] }> {
  const orderIds = [...new Set(late.map(({ orderId }) => orderId))];
  const [terms, escrowOf] = await Promise.all([findTerms(tx, orderIds), readBalances(tx, orderIds.map(escrow))]);
  const termsOf = new Map(terms.map((order) => [order.id, order]));
  const payable: ConfirmedTask[] = [];
  const full: ConfirmedTask[] = [];
  for (const item of late) {
    const { task, now } = item;
    const order = termsOf.get(task.orderId);
    const counters = progress.get(task.orderId);
    if (order === undefined || counters === undefined || isClosed(order.status)) {
      full.push(item);
      continue;
    }
    // The counters include the reservation of a lapsed task that the expiry job has not reached yet.
    const isReserved = ({ state }: Task): boolean => state === 'shown';
    const own = isReserved(task) ? 1 : 0;
    const taken = payable.filter((other) => other.orderId === order.id && !isReserved(other.task));
    const slots = openSlots(
      { ...order, chargeKopecks: task.chargeKopecks },
      {
        ...counters,
        reservedCount: counters.reservedCount - own + taken.length,
        reservedKopecks: taken.reduce(
          (sum, { task: other }) => sum + other.chargeKopecks,
          counters.reservedKopecks - (own === 1 ? task.chargeKopecks : 0n),
        ),
      },
      escrowOf(escrow(order.id)),
      businessDay(now),
    );
    (slots >= 1 ? payable : full).push(item);
  }
  return { payable, full };
}
