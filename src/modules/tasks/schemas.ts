import { Type } from 'typebox';
import { MAX_SPONSORS } from '../bots/index.ts';
import { FILTERS } from '../targeting/index.ts';
import { REMOVAL_REASONS } from './show/describe-user.ts';
import type { TaskAction } from './show/plan-tasks.ts';
import { TASK_STATUSES, type TaskStatus } from './task.ts';

/** The largest integer that every JSON parser reads exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

const UserId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: "The user's Telegram id." });
const AdsId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The task, as get-sponsors named it.' });
const AdsIds = Type.Array(AdsId, { minItems: 1, maxItems: MAX_SPONSORS.max });

const oneOf = <const Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) });

const Status = Type.Unsafe<TaskStatus>({
  type: 'string',
  enum: [...TASK_STATUSES],
  description: "`hold`: the sponsor's side has not decided. `notgetted`: a member, but not counted.",
});
const CreditStatus = oneOf(['paid', 'hold', 'pending', 'not_counted', 'none'], 'What happened to the reward.');

/** PostgreSQL cannot store NUL. */
const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^[^\\u0000]*$', description });

/** Null means unknown here, because an absent field has a default. Elsewhere null means absent (http/tolerant-requests.ts). */
export const GetSponsorsBody = Type.Object(
  {
    user_id: UserId,
    chat_id: Type.Optional(
      Type.Integer({ minimum: -MAX_ID, maximum: MAX_ID, description: 'The group, when the request comes from one.' }),
    ),
    first_name: Type.Optional(text(256, 'Empty: the user has none. Absent: not known.')),
    username: Type.Optional(text(64, 'Without @. Empty: the user has none. Absent: not known.')),
    language_code: Type.Optional(
      Type.Unsafe<string | null>({ ...text(35, 'Absent: ru. Empty or null: not known.'), type: ['string', 'null'] }),
    ),
    is_premium: Type.Optional(
      Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: 'Absent: false. null: not known.' }),
    ),
    max_sponsors: Type.Optional(
      Type.Integer({
        minimum: MAX_SPONSORS.min,
        description: `Default: the bot's setting. More than ${MAX_SPONSORS.max} counts as ${MAX_SPONSORS.max}.`,
      }),
    ),
    action: Type.Optional(
      Type.Unsafe<TaskAction>({
        type: 'string',
        enum: ['subscribe', 'newtask'],
        description: '`subscribe` is the gate of a round; `newtask` asks for extra tasks beyond it.',
      }),
    ),
  },
  { title: 'TaskRequest' },
);

const Sponsor = Type.Object(
  {
    ads_id: Type.Integer(),
    link: Type.String(),
    resource_type: oneOf(['channel', 'bot']),
    title: Type.String(),
    status: Status,
    reward: Type.Number({ description: 'Rubles that you earn when the subscription is counted.' }),
    approval_pct: Type.Optional(
      Type.Number({
        description:
          "Percent of users whom the sponsor's side approved so far. Only of tasks that it checks itself, once it has answered a few times.",
      }),
    ),
  },
  { title: 'Sponsor' },
);

export const GetSponsorsResponse = Type.Object({
  status: oneOf(['ok', 'warning'], '`ok`: let the user in. `warning`: show the tasks.'),
  sponsors: Type.Array(Sponsor),
  message: Type.Optional(Type.String()),
});

const Count = Type.Integer({ minimum: 0 });

export const ExplainResponse = Type.Object({
  active_orders: Count,
  matching_orders: Type.Integer({ description: 'Could be shown to this user now.' }),
  removed: Type.Object(Object.fromEntries(['paused', ...REMOVAL_REASONS].map((reason) => [reason, Count])), {
    description: 'Orders not shown, by reason. Paused ones are not among the active.',
  }),
  removed_by_filter: Type.Object(Object.fromEntries(FILTERS.map(({ key }) => [key, Count]))),
  user_is_banned: Type.Boolean(),
  user_is_over_limit: Type.Boolean({
    description: 'The user did more tasks, or shares a device with more users, than is counted, and gets no new ones.',
  }),
});

export const ConfirmBody = Type.Object({ user_id: UserId, ads_id: AdsId });

/** The reasons of a confirm, for programs. */
const CONFIRM_CODES = [
  'counted',
  'pending',
  'already_counted',
  'order_full',
  'not_subscribed',
  'not_shown',
  'user_banned',
  'check_unavailable',
  'order_not_found',
] as const;
export type ConfirmCode = (typeof CONFIRM_CODES)[number];

const confirmFields = {
  status: oneOf(['ok', 'warning']),
  subscribed: Type.Boolean(),
  credited: Type.Optional(
    Type.Number({ description: 'Rubles. Present when `status` is `ok` and `credit_status` is not `pending`.' }),
  ),
  expected: Type.Optional(
    Type.Number({ description: "Rubles that will be credited if the sponsor's side agrees. Only with `pending`." }),
  ),
  message: Type.String(),
  code: oneOf(CONFIRM_CODES, 'The reason, for programs. See the publisher guide.'),
  grant_access: Type.Boolean({ description: 'May the user in?' }),
  credit_status: CreditStatus,
};

export const ConfirmResponse = Type.Object(confirmFields, { title: 'Confirmation' });

export const ConfirmManyBody = Type.Object({ user_id: UserId, ads_ids: AdsIds });

export const ConfirmManyResponse = Type.Object({
  status: oneOf(['ok', 'warning'], '`ok` when every result is.'),
  grant_access: Type.Boolean({ description: 'Whether every result grants access.' }),
  results: Type.Array(Type.Object({ ads_id: Type.Integer(), ...confirmFields }, { title: 'ConfirmationOfTask' })),
});

export const UserSubscriptionsBody = Type.Object(
  {
    user_id: UserId,
    ads_ids: Type.Optional(AdsIds),
    links: Type.Optional(
      Type.Array(text(512, 'A link, as get-sponsors returned it.'), { minItems: 1, maxItems: MAX_SPONSORS.max }),
    ),
  },
  { description: 'Either `ads_ids` or `links`; without both, the latest tasks of the user in your bot.' },
);

const UserSubscription = Type.Object(
  {
    ads_id: Type.Union([Type.Integer(), Type.Null()], { description: 'null: your bot showed the user no such link.' }),
    link: Type.Union([Type.String(), Type.Null()], { description: 'As you sent it, or the link of the order.' }),
    is_shown: Type.Boolean({ description: 'Whether your bot has shown this task to the user.' }),
    status: Status,
    credit_status: CreditStatus,
  },
  { title: 'UserSubscription' },
);

export const UserSubscriptionsResponse = Type.Object({
  status: oneOf(['ok']),
  subscriptions: Type.Array(UserSubscription, { description: 'One per `ads_ids` or `links`, in the same order.' }),
});
