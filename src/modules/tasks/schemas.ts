import { Type } from 'typebox';
import { MAX_SPONSORS } from '../bots/index.ts';
import { FILTERS } from '../targeting/index.ts';
import { BARRIERS } from './show/describe-user.ts';
import type { TaskAction } from './show/plan-tasks.ts';

/** The largest integer that every JSON parser reads exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

const UserId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: "The user's Telegram id." });

/** PostgreSQL cannot store NUL. */
const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' });

/** Bots forward Telegram's fields, and a missing one may be null. */
const NULL_MEANS = 'null: not known.';
const nullableText = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({ ...text(maxLength), type: ['string', 'null'], description });

export const GetSponsorsBody = Type.Object({
  user_id: UserId,
  chat_id: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: -MAX_ID,
      maximum: MAX_ID,
      description: 'The group, when the request comes from one.',
    }),
  ),
  first_name: Type.Optional(nullableText(256, `Empty: the user has none. Absent or ${NULL_MEANS}`)),
  username: Type.Optional(nullableText(64, `Without @. Empty: the user has none. Absent or ${NULL_MEANS}`)),
  language_code: Type.Optional(nullableText(35, `Absent: ru. Empty or ${NULL_MEANS}`)),
  is_premium: Type.Optional(
    Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: `Absent: false. ${NULL_MEANS}` }),
  ),
  max_sponsors: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: MAX_SPONSORS.min, maximum: MAX_SPONSORS.max }),
  ),
  action: Type.Optional(
    Type.Unsafe<TaskAction | null>({
      type: ['string', 'null'],
      enum: ['subscribe', 'newtask', null],
      description: '`subscribe` is the gate of a round; `newtask` asks for extra tasks beyond it.',
    }),
  ),
});

export const GetSponsorsResponse = Type.Object({
  status: Type.String({ description: '`ok`: let the user in. `warning`: show the tasks.' }),
  sponsors: Type.Array(
    Type.Object({
      ads_id: Type.Integer(),
      link: Type.String(),
      resource_type: Type.String(),
      title: Type.String(),
      status: Type.String(),
      approval_pct: Type.Optional(
        Type.Number({
          description:
            "Percent of users whom the sponsor's side approved so far. Only of tasks that it checks itself, once it has answered a few times.",
        }),
      ),
    }),
  ),
  message: Type.Optional(Type.String()),
});

const Count = Type.Integer({ minimum: 0 });

export const ExplainResponse = Type.Object({
  active_orders: Count,
  matching_orders: Type.Integer({ description: 'Could be shown to this user now.' }),
  removed: Type.Object(
    Object.fromEntries(
      ['paused', 'out_of_budget', 'paced', ...BARRIERS].map((reason) => [reason, Type.Integer({ minimum: 0 })]),
    ),
    { description: 'Orders not shown, by reason. Paused ones are not among the active.' },
  ),
  removed_by_filter: Type.Object(Object.fromEntries(FILTERS.map(({ key }) => [key, Type.Integer({ minimum: 0 })]))),
  user_is_banned: Type.Boolean(),
});

const AdsId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The task, as get-sponsors named it.' });

export const ConfirmBody = Type.Object({ user_id: UserId, ads_id: AdsId });

const confirmFields = {
  status: Type.String(),
  subscribed: Type.Boolean(),
  credited: Type.Optional(
    Type.Number({ description: 'Rubles. Present when `status` is `ok` and `credit_status` is not `pending`.' }),
  ),
  expected: Type.Optional(
    Type.Number({ description: "Rubles that will be credited if the sponsor's side agrees. Only with `pending`." }),
  ),
  message: Type.String(),
  code: Type.String({ description: 'The reason, for programs. See the publisher guide.' }),
  grant_access: Type.Boolean({ description: 'May the user in?' }),
  credit_status: Type.String({ description: '`paid`, `hold`, `pending`, `not_counted` or `none`.' }),
};

export const ConfirmResponse = Type.Object(confirmFields);

export const ConfirmManyBody = Type.Object({
  user_id: UserId,
  ads_ids: Type.Array(AdsId, { minItems: 1, maxItems: MAX_SPONSORS.max }),
});

export const ConfirmManyResponse = Type.Object({
  status: Type.String({ description: '`ok` when every result is.' }),
  grant_access: Type.Boolean({ description: 'Whether every result grants access.' }),
  results: Type.Array(Type.Object({ ads_id: Type.Integer(), ...confirmFields })),
});
