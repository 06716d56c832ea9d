import { Type } from 'typebox';
import { MAX_RUBLES } from '../core/money.ts';
import { MAX_SPONSORS, ROUND_SECONDS } from '../modules/bots/index.ts';
import { FiltersSchema } from '../modules/targeting/index.ts';

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const ChatId = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const Name = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });
const Rubles = Type.Number({ minimum: 0, maximum: MAX_RUBLES });

export const NewAccountBody = Type.Object({
  user_id: Type.Optional(Id),
  name: Type.Optional(Name),
  deposit: Type.Optional(Rubles),
});

export const NewBotBody = Type.Object({
  account_id: Id,
  username: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{3,64}$' })),
  beta: Type.Optional(Type.Boolean()),
  max_sponsors: Type.Optional(Type.Integer({ minimum: MAX_SPONSORS.min, maximum: MAX_SPONSORS.max })),
  round_minutes: Type.Optional(Type.Integer({ minimum: ROUND_SECONDS.min / 60, maximum: ROUND_SECONDS.max / 60 })),
});

export const NewOrderBody = Type.Object({
  account_id: Id,
  chat_id: ChatId,
  name: Type.Optional(Name),
  price_per_sub: Type.Number({ exclusiveMinimum: 0, maximum: MAX_RUBLES }),
  quantity: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  hold_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 720 })),
  refund: Type.Optional(Type.Boolean()),
  daily_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  filters: Type.Optional(FiltersSchema),
});

export const OrderParams = Type.Object({ order_id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });
export const UserParams = Type.Object({ user_id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });

export const ClockBody = Type.Object({
  advance_seconds: Type.Number({ minimum: 0, maximum: 10 * 366 * 24 * 60 * 60 }),
});

/** Stored as JSON: PostgreSQL accepts neither a zero byte nor an unpaired surrogate there. */
const learnedText = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });

/** How much a made-up signal says against a user. */
export const SignalBody = Type.Object({ strength: Type.Integer({ minimum: 0, maximum: 100 }) });

/** The facts that a smart link learns about a user. */
export const ProfileBody = Type.Object({
  country: Type.Optional(learnedText(64)),
  city: Type.Optional(learnedText(128)),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  gender: Type.Optional(learnedText(16)),
  account_age_years: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  device_type: Type.Optional(Type.Union([Type.Literal('smartphone'), Type.Literal('desktop'), Type.Literal('tablet')])),
  os: Type.Optional(
    Type.Union([Type.Literal('Android'), Type.Literal('iOS'), Type.Literal('Windows'), Type.Literal('macOS')]),
  ),
  has_photo: Type.Optional(Type.Boolean()),
  real_photo: Type.Optional(Type.Boolean()),
  has_bio: Type.Optional(Type.Boolean()),
  has_audio: Type.Optional(Type.Boolean()),
  rating: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  gifts: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});
