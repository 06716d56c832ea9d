import { Type } from 'typebox';
import { MAX_RUBLES } from '../../core/money.ts';
import { ORDER_STATUSES } from './order.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });

export const NewOrderBody = Type.Object({
  name: Type.Optional(text(128)),
  link: Type.String({ maxLength: 256, pattern: '^https?://(t\\.me|telegram\\.me)/\\S+$' }),
  resource_type: Type.Unsafe<'channel' | 'bot'>({ type: 'string', enum: ['channel', 'bot'] }),
  title: text(128),
  price_per_sub: Type.Number({ exclusiveMinimum: 0, maximum: MAX_RUBLES, description: 'Rubles, before coefficients.' }),
  quantity: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  hold_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 720, description: 'Default 24; 0 pays at once.' })),
  refund: Type.Optional(Type.Boolean({ description: 'Whether a reversal gives the money and the slot back.' })),
  daily_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  min_quality: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'The least quality score of bots that show the order. Bots without a score pass.',
    }),
  ),
  scored_sources_only: Type.Optional(
    Type.Boolean({ description: 'Whether bots without a quality score are left out.' }),
  ),
  chat_id: Type.Optional(
    Type.Integer({
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'For a channel behind an invite link.',
    }),
  ),
  bot_token: Type.Optional(
    Type.String({
      pattern: '^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$',
      description: 'For a bot: lets us check its users. Without it your side confirms them by postback.',
    }),
  ),
});

export const OrderAnswer = Type.Object(
  {
    order_id: Type.Integer(),
    name: Type.String(),
    status: Type.String({ enum: [...ORDER_STATUSES] }),
    price_per_sub: Type.Number(),
    charge_per_sub: Type.Number(),
    subscribers: Type.Integer(),
    spent: Type.Number(),
    remainder: Type.Number({ description: 'Rubles still set aside for this order.' }),
    remaining_subscribers: Type.Integer(),
    cr_pct: Type.Number(),
    created_at: Type.String(),
    min_quality: Type.Optional(Type.Integer()),
    scored_sources_only: Type.Optional(Type.Boolean()),
    postback: Type.Optional(
      Type.Object(
        { url: Type.String(), secret: Type.String() },
        { description: 'Where and how your side confirms users.' },
      ),
    ),
  },
  { title: 'Order' },
);

export const OrderListQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
  cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$' })),
});

export const OrderListAnswer = Type.Object({
  orders: Type.Array(OrderAnswer),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});

export const OrderParams = Type.Object({ id: Type.String({ maxLength: 32 }) });

export const TopUpBody = Type.Object({ quantity: Type.Integer({ minimum: 1, maximum: 10_000_000 }) });

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
});
