import { Type } from 'typebox';
import { nullable, OptionalFlag, OptionalInteger, OptionalText, UserId } from '../network-routes.ts';

const Ids = nullable<readonly (string | number)[]>(
  Type.Array(Type.Union([Type.String({ maxLength: 64 }), Type.Integer()]), { maxItems: 1_000 }),
);
const Links = nullable<readonly string[]>(Type.Array(Type.String({ maxLength: 2_048 }), { maxItems: 200 }));
const Day = nullable<string>(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD.' }));
const Title = OptionalText(128);

export const GetSponsorsBody = Type.Object({
  user_id: UserId,
  chat_id: OptionalInteger,
  first_name: OptionalText(256),
  username: OptionalText(64),
  language_code: OptionalText(35),
  is_premium: OptionalFlag,
  action: nullable<'subscribe' | 'newtask' | 'task'>(
    Type.String({ enum: ['subscribe', 'newtask', 'task', null], description: '`task` is the same as `newtask`.' }),
  ),
  max_sponsors: OptionalInteger,
  get_links: Type.Optional(
    Type.Union([Type.Boolean(), Type.Integer(), Type.Null()], {
      description: '0: we send the message with the links through your bot.',
    }),
  ),
  exclude_resource_ids: Ids,
  exclude_ads_ids: Ids,
});

export const UserSubscriptionsBody = Type.Object({ user_id: UserId, links: Links, start_date: Day, end_date: Day });

export const BotsBody = Type.Object({
  action: Type.Unsafe<'add' | 'update' | 'info'>({ type: 'string', enum: ['add', 'update', 'info'] }),
  bot_id: OptionalInteger,
  bot_token: OptionalText(200),
  max_sponsors: OptionalInteger,
  time_purge: nullable<number>(Type.Integer({ minimum: 5, maximum: 4_320, description: 'Minutes of a round.' })),
  is_on: OptionalFlag,
});

export const OrdersBody = Type.Object({
  action: Type.Unsafe<'create' | 'update' | 'info'>({ type: 'string', enum: ['create', 'update', 'info'] }),
  order_id: OptionalInteger,
  link: OptionalText(256),
  ads_type: nullable<'channel' | 'bot' | 'resource'>(Type.String({ enum: ['channel', 'bot', 'resource', null] })),
  quantity_all: nullable<number>(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  quantity_day: nullable<number>(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  price: nullable<number>(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Rubles.' })),
  name: Title,
  is_on: OptionalFlag,
  in_archive: OptionalFlag,
  bot_token: OptionalText(200),
});

const QueryId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });
const QueryDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
export const STATISTIC_ACTIONS = ['allads', 'ads', 'source', 'allbots', 'bots', 'sponsor'] as const;
export const StatisticQuery = Type.Object({
  action: Type.Unsafe<(typeof STATISTIC_ACTIONS)[number]>({ type: 'string', enum: STATISTIC_ACTIONS }),
  api_token: Type.Optional(Type.String()),
  ads_id: Type.Optional(QueryId),
  bot_id: Type.Optional(QueryId),
  start_date: Type.Optional(QueryDay),
  end_date: Type.Optional(QueryDay),
});

export const ToggleExclusionBody = Type.Object({
  action: Type.Unsafe<'exclude' | 'activate'>({ type: 'string', enum: ['exclude', 'activate'] }),
  context: Type.Unsafe<'advertiser' | 'publisher'>({
    type: 'string',
    enum: ['advertiser', 'publisher'],
    description: '`publisher`: your bot does not show the order. `advertiser`: your order is not shown in the bot.',
  }),
  ads_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  bot_id: nullable<number>(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
export const ToggleExclusionAnswer = Type.Object({ status: Type.String(), message: Type.String() });

const Nothing = Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), { description: 'Empty.' });
export const FiltersAnswer = Type.Object({
  status: Type.String(),
  filters: Type.Object({
    ads: Type.Object({
      countries: Nothing,
      languages: Nothing,
      cities: Nothing,
      ages: Nothing,
      devicestype: Nothing,
      devicesos: Nothing,
      forbidden_themes: Nothing,
    }),
    bots: Type.Object({ forbidden_themes: Nothing }),
  }),
});

const TextOrNumber = Type.Union([Type.String({ maxLength: 32 }), Type.Integer(), Type.Null()]);

/** The older requests name every field differently. */
export const RequestOpBody = Type.Object({
  UserId,
  ChatId: Type.Optional(TextOrNumber),
  MaxOP: Type.Optional(TextOrNumber),
  Premium: Type.Optional(Type.Unsafe<unknown>({})),
  first_name: OptionalText(256),
  language_code: OptionalText(35),
});

const Status = Type.Unsafe<'ok' | 'warning'>({
  type: 'string',
  enum: ['ok', 'warning'],
  description: '`ok`: let the user in. `warning`: show the sponsors.',
});
const Code = Type.Integer();

export const SponsorsAnswer = Type.Object({
  status: Status,
  code: Code,
  message: Type.String(),
  additional: Type.Object({
    sponsors: Type.Array(
      Type.Object({
        ads_id: Type.String(),
        link: Type.String(),
        resource_id: Type.String(),
        type: Type.String({ description: '`channel` or `bot`.' }),
        status: Type.String({ description: '`subscribed`, `unsubscribed` or `notgetted`.' }),
        available_now: Type.Boolean(),
        button_text: Type.String(),
        resource_logo: Type.Union([Type.String(), Type.Null()]),
        resource_name: Type.String(),
      }),
    ),
  }),
});

export const BalanceAnswer = Type.Object({
  status: Type.String(),
  code: Code,
  message: Type.String(),
  balance: Type.Number({ description: 'Rubles.' }),
  bots_info: Type.Array(
    Type.Object({
      bot_id: Type.Integer(),
      bot_username: Type.String(),
      total_followers: Type.Integer({ description: 'Subscriptions that the bot brought.' }),
      revenue: Type.Number(),
    }),
  ),
});

const BotResult = Type.Object({
  bot_id: Type.Optional(Type.Integer()),
  bot_name: Type.Optional(Type.String()),
  bot_nickname: Type.Optional(Type.String()),
  is_on: Type.Optional(Type.Boolean()),
  api_key: Type.String({ description: 'Empty for a bot other than that of the token: tokens are not stored.' }),
  time_purge: Type.Optional(Type.Integer()),
  max_sponsors: Type.Optional(Type.Integer()),
  get_links: Type.Optional(Type.Boolean()),
  gender_question: Type.Optional(Type.Boolean()),
  age_question: Type.Optional(Type.Boolean()),
  show_quiz: Type.Optional(Type.Boolean()),
  profit: Type.Optional(Type.Number()),
  forbidden_themes: Type.Optional(Type.Array(Type.String())),
});
export const BotsAnswer = Type.Object({ status: Type.String(), message: Type.String(), result: BotResult });

export const OrdersAnswer = Type.Object({
  status: Type.String(),
  code: Code,
  message: Type.String(),
  response: Type.Object({
    order_id: Type.Integer(),
    status: Type.String({
      description: '`Moderation`, `Processing`, `Stopped`, `Finished`, `Rejected` or `Archived`.',
    }),
    link: Type.String(),
    name: Type.String(),
    ads_type: Type.String(),
    quantity_all: Type.Integer(),
    quantity_day: Type.Union([Type.Integer(), Type.Null()]),
    quantity_now: Type.Integer(),
    remains: Type.Integer(),
    is_on: Type.Integer(),
    in_archive: Type.Integer(),
    old_price: Type.Number(),
    real_price: Type.Number(),
    is_lite: Type.Integer(),
  }),
});

export const StatisticAnswer = Type.Object({
  status: Type.String(),
  data: Type.Object({
    labels: Type.Optional(Type.Array(Type.String())),
    subscribers_data: Type.Optional(Type.Array(Type.Integer())),
    value_data: Type.Optional(Type.Array(Type.Number())),
    total_subscribers: Type.Optional(Type.Integer()),
    total_value: Type.Optional(Type.Number()),
    table_data: Type.Optional(
      Type.Array(
        Type.Object({
          bot_id: Type.Optional(Type.Integer({ description: 'With `action=source`.' })),
          bot_nickname: Type.Optional(Type.String()),
          ads_id: Type.Optional(Type.Integer({ description: 'With `action=sponsor`.' })),
          link: Type.Optional(Type.String()),
          subscribers: Type.Integer(),
          value: Type.Number(),
          is_excluded: Type.Boolean(),
        }),
      ),
    ),
  }),
});

export const RequestOpAnswer = Type.Object({
  status: Status,
  code: Code,
  message: Type.String(),
  links: Type.Array(Type.String()),
});

export const Failure = Type.Object({
  status: Type.Literal('error'),
  code: Type.Integer({ description: 'The HTTP status.' }),
  message: Type.String(),
});
