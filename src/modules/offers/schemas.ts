import { Type } from 'typebox';
import { MAX_SPONSORS } from '../bots/index.ts';

/** The largest integer that every JSON reader agrees on. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** PostgreSQL cannot store NUL, and no name has one. */
const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' });

const UserId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: "The user's Telegram id." });
const AdsId = Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The task, as get-sponsors named it.' });

export const GetSponsorsBody = Type.Object({
  user_id: UserId,
  chat_id: Type.Optional(
    Type.Integer({ minimum: -MAX_ID, maximum: MAX_ID, description: 'The group, when the request comes from one.' }),
  ),
  first_name: Type.Optional(text(256)),
  username: Type.Optional(text(64)),
  language_code: Type.Optional(text(35)),
  is_premium: Type.Optional(Type.Boolean()),
  max_sponsors: Type.Optional(Type.Integer({ minimum: MAX_SPONSORS.min, maximum: MAX_SPONSORS.max })),
  action: Type.Optional(
    Type.Union([Type.Literal('subscribe'), Type.Literal('newtask')], {
      description: '`subscribe` is the gate of a round; `newtask` asks for extra tasks beyond it.',
    }),
  ),
});

export const GetSponsorsAnswer = Type.Object({
  status: Type.String({ description: '`ok`: let the user in. `warning`: show the tasks.' }),
  sponsors: Type.Array(
    Type.Object({
      ads_id: Type.Integer(),
      link: Type.String(),
      resource_type: Type.String(),
      title: Type.String(),
      status: Type.String(),
    }),
  ),
  message: Type.Optional(Type.String()),
});

export const ConfirmBody = Type.Object({ user_id: UserId, ads_id: AdsId });

const confirmFields = {
  status: Type.String(),
  subscribed: Type.Boolean(),
  credited: Type.Optional(Type.Number({ description: 'Rubles. Present when `status` is `ok`.' })),
  message: Type.String(),
  code: Type.String({ description: 'The reason, for programs. See the publisher guide.' }),
  grant_access: Type.Boolean({ description: 'May the user in?' }),
  credit_status: Type.String({ description: '`paid`, `hold`, `not_counted` or `none`.' }),
};

export const ConfirmAnswer = Type.Object(confirmFields);

export const ConfirmManyBody = Type.Object({
  user_id: UserId,
  ads_ids: Type.Array(AdsId, { minItems: 1, maxItems: MAX_SPONSORS.max }),
});

export const ConfirmManyAnswer = Type.Object({
  status: Type.String({ description: '`ok` when every result is.' }),
  grant_access: Type.Boolean({ description: 'Whether every result grants access.' }),
  results: Type.Array(Type.Object({ ads_id: Type.Integer(), ...confirmFields })),
});
