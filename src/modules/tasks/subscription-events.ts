import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import type { NewEvent } from '../events/index.ts';
import type { Task } from './task.ts';

/** Both sides are told that a subscription counts. */
export function confirmedEvents(
  task: Task,
  { advertiserId, at, inHold }: { readonly advertiserId: number; readonly at: Date; readonly inHold: boolean },
): NewEvent[] {
  const about = {
    bot_id: task.botId,
    user_id: task.userId,
    order_id: task.orderId,
    status: 'subscribed' as const,
    credit_status: inHold ? ('hold' as const) : ('paid' as const),
    created_at: formatTimestamp(at),
  };
  const type = 'subscription.confirmed' as const;
  return [
    {
      accountId: task.accountId,
      type,
      data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) },
    },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: toRubles(task.chargeKopecks) },
    },
  ];
}

/** Both sides are told that it was taken back. */
export function reversedEvents(task: Task, advertiserId: number, at: Date): NewEvent[] {
  const about = {
    bot_id: task.botId,
    user_id: task.userId,
    order_id: task.orderId,
    status: 'unsubscribed' as const,
    created_at: formatTimestamp(task.confirmedAt ?? at),
    reversed_at: formatTimestamp(at),
  };
  const type = 'subscription.reversed' as const;
  return [
    {
      accountId: task.accountId,
      type,
      data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) },
    },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: task.refund ? toRubles(task.chargeKopecks) : 0 },
    },
  ];
}

/** Both sides are told that the advertiser's side did not agree to a subscription that waited for it. */
export function rejectedEvents(
  task: Task,
  { advertiserId, reason, at }: { advertiserId: number; reason: 'rejected' | 'no_answer'; at: Date },
): NewEvent[] {
  const about = {
    bot_id: task.botId,
    user_id: task.userId,
    order_id: task.orderId,
    status: 'unsubscribed' as const,
    reason,
    created_at: formatTimestamp(task.confirmedAt ?? at),
    rejected_at: formatTimestamp(at),
  };
  const type = 'subscription.rejected' as const;
  return [
    { accountId: task.accountId, type, data: { ...about, role: 'publisher', amount: toRubles(task.rewardKopecks) } },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: task.refund ? toRubles(task.chargeKopecks) : 0 },
    },
  ];
}
