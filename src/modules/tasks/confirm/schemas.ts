import { Type } from 'typebox';
import { MAX_SPONSORS } from '../../bots/index.ts';
import { MAX_ID, UserId } from '../id-schemas.ts';

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
