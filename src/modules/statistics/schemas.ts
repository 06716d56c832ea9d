import { Type } from 'typebox';
import { ORDER_STATUSES } from '../orders/index.ts';

/** A query string contains numbers as text. Ids have at most 15 digits, so no precision is lost. */
const QueryId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });

export const StatisticQuery = Type.Object({
  api_token: Type.Optional(Type.String()),
  action: Type.Optional(
    Type.Unsafe<'allbots' | 'bots' | 'allads' | 'ads'>({ type: 'string', enum: ['allbots', 'bots', 'allads', 'ads'] }),
  ),
  bot_id: Type.Optional(QueryId),
  order_id: Type.Optional(QueryId),
  output_format: Type.Optional(Type.Unsafe<'json' | 'html'>({ type: 'string', enum: ['json', 'html'] })),
});

export const BalanceAnswer = Type.Object({
  balance: Type.Number({ description: 'Rubles. Negative: a debt that later rewards pay first.' }),
  hold_balance: Type.Number({ description: 'Rewards in hold.' }),
  withdrawable: Type.Number({
    description: 'The settled part of `balance`: what a payout can be requested for, or an order paid with.',
  }),
  bots_info: Type.Array(
    Type.Object({ bot_id: Type.Integer(), bot_username: Type.String(), is_active: Type.Boolean() }),
  ),
});

const SubscriptionRecord = Type.Object(
  {
    user_id: Type.Integer(),
    order_id: Type.Integer(),
    status: Type.String({ enum: ['subscribed', 'unsubscribed', 'notgetted', 'hold'] }),
    amount: Type.Number(),
    created_at: Type.String(),
  },
  { title: 'SubscriptionRecord' },
);

const BotsReport = Type.Object({
  bots: Type.Array(
    Type.Object({
      bot_id: Type.Integer(),
      bot_username: Type.String(),
      is_active: Type.Boolean(),
      total_subscribers: Type.Integer(),
      revenue: Type.Number(),
    }),
  ),
});
const BotReport = Type.Object({ bot: Type.String(), subscriptions: Type.Array(SubscriptionRecord) });
const OrdersReport = Type.Object({
  orders: Type.Array(
    Type.Object({
      order_id: Type.Integer(),
      name: Type.String(),
      status: Type.String({ enum: [...ORDER_STATUSES] }),
      price_per_sub: Type.Number(),
      subscribers: Type.Integer(),
      cr_pct: Type.Number(),
      spent: Type.Number(),
    }),
  ),
});
const OrderReport = Type.Object({ order: Type.String(), subscriptions: Type.Array(SubscriptionRecord) });
export const AnyReport = Type.Union([BotsReport, BotReport, OrdersReport, OrderReport]);

const PlatformPeriod = Type.Object(
  {
    subscriptions: Type.Integer(),
    reversals: Type.Integer(),
    revenue: Type.Number(),
    payouts: Type.Number(),
    active_bots: Type.Integer(),
    active_orders: Type.Integer(),
    unique_users: Type.Integer(),
    turnover: Type.Number(),
    platform_revenue: Type.Number(),
  },
  { title: 'PlatformPeriod' },
);
export const PlatformStatsAnswer = Type.Object({
  last_7_days: PlatformPeriod,
  last_30_days: PlatformPeriod,
  all_time: PlatformPeriod,
});
