import { Type } from 'typebox';
import { MAX_SPONSORS } from '../../bots/index.ts';
import { FILTERS } from '../../targeting/index.ts';
import { MAX_ID, UserId } from '../id-schemas.ts';
import { BARRIERS } from './eligibility.ts';
import type { TaskAction } from './plan-tasks.ts';

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
