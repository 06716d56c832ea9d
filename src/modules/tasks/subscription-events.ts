import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import type { NewEvent } from '../events/index.ts';
import type { Offer } from './task.ts';

/** Both sides are told that a subscription counts. */
export function confirmedEvents(
  offer: Offer,
  { advertiserId, at, inHold }: { readonly advertiserId: number; readonly at: Date; readonly inHold: boolean },
): NewEvent[] {
  const about = {
    bot_id: offer.botId,
    user_id: offer.userId,
    order_id: offer.orderId,
    status: 'subscribed' as const,
    credit_status: inHold ? ('hold' as const) : ('paid' as const),
    created_at: formatTimestamp(at),
  };
  const type = 'subscription.confirmed' as const;
  return [
    {
      accountId: offer.accountId,
      type,
      data: { ...about, role: 'publisher', amount: toRubles(offer.rewardKopecks) },
    },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: toRubles(offer.chargeKopecks) },
    },
  ];
}

/** Both sides are told that it was taken back. */
export function reversedEvents(offer: Offer, advertiserId: number, at: Date): NewEvent[] {
  const about = {
    bot_id: offer.botId,
    user_id: offer.userId,
    order_id: offer.orderId,
    status: 'unsubscribed' as const,
    created_at: formatTimestamp(offer.confirmedAt ?? at),
    reversed_at: formatTimestamp(at),
  };
  const type = 'subscription.reversed' as const;
  return [
    {
      accountId: offer.accountId,
      type,
      data: { ...about, role: 'publisher', amount: toRubles(offer.rewardKopecks) },
    },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: offer.refund ? toRubles(offer.chargeKopecks) : 0 },
    },
  ];
}

/** Both sides are told that the advertiser's side did not agree to a subscription that waited for it. */
export function rejectedEvents(
  offer: Offer,
  { advertiserId, reason, at }: { advertiserId: number; reason: 'rejected' | 'no_answer'; at: Date },
): NewEvent[] {
  const about = {
    bot_id: offer.botId,
    user_id: offer.userId,
    order_id: offer.orderId,
    status: 'unsubscribed' as const,
    reason,
    created_at: formatTimestamp(offer.confirmedAt ?? at),
    rejected_at: formatTimestamp(at),
  };
  const type = 'subscription.rejected' as const;
  return [
    { accountId: offer.accountId, type, data: { ...about, role: 'publisher', amount: toRubles(offer.rewardKopecks) } },
    {
      accountId: advertiserId,
      type,
      data: { ...about, role: 'advertiser', amount: offer.refund ? toRubles(offer.chargeKopecks) : 0 },
    },
  ];
}
