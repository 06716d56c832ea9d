// Written by clients/typescript/generate.ts: change the service, then run it again.

/** What each kind of event carries in `data`. */
export interface EventData {
  'subscription.confirmed': {
    /** As whom you are told. */
    role: 'publisher' | 'advertiser';
    bot_id: number;
    user_id: number;
    order_id: number;
    status: 'subscribed';
    /** Rubles: the reward for the publisher, the charge for the advertiser. */
    amount: number;
    credit_status: 'paid' | 'hold';
    /** ISO 8601 with offset. */
    created_at: string;
  };
  'subscription.reversed': {
    /** As whom you are told. */
    role: 'publisher' | 'advertiser';
    bot_id: number;
    user_id: number;
    order_id: number;
    status: 'unsubscribed';
    /** Rubles: the reward the publisher loses; what the advertiser gets back (0 with refund off). */
    amount: number;
    /** When the subscription had been confirmed. */
    created_at: string;
    /** ISO 8601 with offset. */
    reversed_at: string;
  };
  'subscription.rejected': {
    /** As whom you are told. */
    role: 'publisher' | 'advertiser';
    bot_id: number;
    user_id: number;
    order_id: number;
    status: 'unsubscribed';
    /** Rubles: the reward the publisher does not get; what the advertiser gets back (0 with refund off). */
    amount: number;
    /** What the advertiser's side answered, or that it did not within 72 hours. */
    reason: 'rejected' | 'no_answer';
    /** When the publisher had asked for it. */
    created_at: string;
    /** ISO 8601 with offset. */
    rejected_at: string;
  };
  'contest.completed': {
    contest_id: number;
    name: string;
    /** Your place. */
    rank: number;
    /** Your subscriptions that counted. */
    subscriptions: number;
    /** Their rewards in rubles: what you were ranked by. */
    revenue: number;
    /** Rubles. */
    prize: number;
    /** ISO 8601 with offset. */
    completed_at: string;
  };
  'payout.sent': {
    payout_id: number;
    /** Rubles. */
    amount: number;
    provider: string;
    /** What the payment provider calls it. */
    reference: string | null;
    /** ISO 8601 with offset. */
    requested_at: string;
    /** ISO 8601 with offset. */
    sent_at: string;
  };
  'order.completed': {
    order_id: number;
    name: string;
    status: 'completed';
    subscribers: number;
    /** Rubles. */
    spent: number;
    /** ISO 8601 with offset. */
    completed_at: string;
  };
  'webhook.test': {
    webhook_id: number;
    message: string;
  };
}

/** The kinds that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'subscription.confirmed',
  'subscription.reversed',
  'subscription.rejected',
  'contest.completed',
  'payout.sent',
  'order.completed',
] as const;
