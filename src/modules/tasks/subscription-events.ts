import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import type { NewEvent } from '../events/index.ts';
import type { Task } from './task.ts';

const aboutOf = ({ botId, userId, orderId }: Task) => ({ bot_id: botId, user_id: userId, order_id: orderId });

/** Returns the events of a counted subscription for both sides. */
export function confirmedEvents(
  task: Task,
  { advertiserId, at, inHold }: { readonly advertiserId: number; readonly at: Date; readonly inHold: boolean },
): NewEvent[] {
  const about = {
    ...aboutOf(task),
    status: 'subscribed' as const,
    credit_status: inHold ? ('hold' as const) : ('paid' as const),
    created_at: formatTimestamp(at),
  };
  const type = 'subscription.confirmed' as const;
  return [
    { accountId: task.accountId, type, data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) } },
    { accountId: advertiserId, type, data: { ...about, role: 'advertiser', amount: toRubles(task.chargeKopecks) } },
  ];
}

const refundOf = ({ refund, chargeKopecks }: Task): number => (refund ? toRubles(chargeKopecks) : 0);

/** Returns the events of a reversed subscription for both sides. */
export function reversedEvents(task: Task, advertiserId: number, at: Date): NewEvent[] {
  const about = {
    ...aboutOf(task),
    status: 'unsubscribed' as const,
    created_at: formatTimestamp(task.confirmedAt ?? at),
    reversed_at: formatTimestamp(at),
  };
  const type = 'subscription.reversed' as const;
  return [
    { accountId: task.accountId, type, data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) } },
    { accountId: advertiserId, type, data: { ...about, role: 'advertiser', amount: refundOf(task) } },
  ];
}

/** Returns the events of a pending subscription that the advertiser's side refused or did not decide. */
export function rejectedEvents(
  task: Task,
  { advertiserId, reason, at }: { advertiserId: number; reason: 'rejected' | 'no_answer'; at: Date },
): NewEvent[] {
  const about = {
    ...aboutOf(task),
    status: 'unsubscribed' as const,
    reason,
    created_at: formatTimestamp(task.confirmedAt ?? at),
    rejected_at: formatTimestamp(at),
  };
  const type = 'subscription.rejected' as const;
  return [
    { accountId: task.accountId, type, data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) } },
    { accountId: advertiserId, type, data: { ...about, role: 'advertiser', amount: refundOf(task) } },
  ];
}
