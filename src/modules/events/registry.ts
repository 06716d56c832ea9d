import { type Static, type TSchema, Type } from 'typebox';

const id = (description: string) => Type.Integer({ minimum: 1, description });
const Rubles = Type.Number({ description: 'Rubles.' });
const Time = Type.String({ format: 'date-time', description: 'ISO 8601 with offset.' });

/**
 * Both sides of a subscription get the event: the publisher whose bot brought it, and the advertiser who paid for it.
 */
const Role = Type.Unsafe<'publisher' | 'advertiser'>({
  type: 'string',
  enum: ['publisher', 'advertiser'],
  description: 'As whom you are told.',
});

const subscription = {
  role: Role,
  bot_id: id('The bot that showed the task.'),
  user_id: id("The user's Telegram id."),
  order_id: id('The order: `ads_id` in the task flow.'),
};

/** The only list of event types that an endpoint can subscribe to, with the shape of their `data`. */
export const EVENT_DATA = {
  'subscription.confirmed': Type.Object({
    ...subscription,
    status: Type.Literal('subscribed'),
    amount: Type.Number({ description: 'Rubles: the reward for the publisher, the charge for the advertiser.' }),
    credit_status: Type.Unsafe<'paid' | 'hold'>({ type: 'string', enum: ['paid', 'hold'] }),
    created_at: Time,
  }),
  'subscription.reversed': Type.Object({
    ...subscription,
    status: Type.Literal('unsubscribed'),
    amount: Type.Number({
      description: 'Rubles: the reward the publisher loses; what the advertiser gets back (0 with refund off).',
    }),
    created_at: Type.String({ format: 'date-time', description: 'When the subscription had been confirmed.' }),
    reversed_at: Time,
  }),
  'subscription.rejected': Type.Object({
    ...subscription,
    status: Type.Literal('unsubscribed'),
    amount: Type.Number({
      description: 'Rubles: the reward the publisher does not get; what the advertiser gets back (0 with refund off).',
    }),
    reason: Type.Unsafe<'rejected' | 'no_answer'>({
      type: 'string',
      enum: ['rejected', 'no_answer'],
      description: "What the advertiser's side answered, or that it did not within 72 hours.",
    }),
    created_at: Type.String({ format: 'date-time', description: 'When the publisher had asked for it.' }),
    rejected_at: Time,
  }),
  'contest.completed': Type.Object({
    contest_id: id('The contest.'),
    name: Type.String({ description: 'Its name.' }),
    rank: Type.Integer({ minimum: 1, description: 'Your place.' }),
    subscriptions: Type.Integer({ minimum: 0, description: 'Your subscriptions that counted.' }),
    revenue: Type.Number({ minimum: 0, description: 'Their rewards in rubles: what you were ranked by.' }),
    prize: Rubles,
    completed_at: Time,
  }),
  'payout.sent': Type.Object({
    payout_id: id('The payout.'),
    amount: Rubles,
    provider: Type.String({ description: 'Who sent it.' }),
    reference: Type.Union([Type.String(), Type.Null()], { description: 'What the payment provider calls it.' }),
    requested_at: Time,
    sent_at: Time,
  }),
  'order.completed': Type.Object({
    order_id: id('The order.'),
    name: Type.String({ description: 'Its name.' }),
    status: Type.Literal('completed'),
    subscribers: Type.Integer({ minimum: 0, description: 'Its counted subscriptions.' }),
    spent: Rubles,
    completed_at: Time,
  }),
} as const satisfies Record<string, TSchema>;

export type EventType = keyof typeof EVENT_DATA;
export const EVENT_TYPES = Object.keys(EVENT_DATA) as readonly EventType[];

/** Sent on request to one endpoint. Endpoints cannot subscribe to it. */
export const TEST_EVENT_TYPE = 'webhook.test';
export const TestEventData = Type.Object({ webhook_id: id('The endpoint.'), message: Type.String() });

/** An event of an account, before it has an id and a sequence number. */
export type NewEvent = {
  [T in EventType]: {
    readonly accountId: number;
    readonly type: T;
    readonly data: Static<(typeof EVENT_DATA)[T]>;
  };
}[EventType];
