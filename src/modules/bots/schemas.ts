import { Type } from 'typebox';
import { GRACE_HOURS } from './manage-tokens.ts';

export const TokenAnswer = Type.Object({
  bot_id: Type.Integer(),
  bot_username: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'What the token may do beyond the task flow.' }),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'Set once the token is being replaced.' }),
});

export const RotateBody = Type.Object({
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: GRACE_HOURS.min,
      maximum: GRACE_HOURS.max,
      description: `How long the old token goes on working. Default ${GRACE_HOURS.default}.`,
    }),
  ),
});

export const RotateAnswer = Type.Object({
  api_token: Type.String({ description: 'The new token, shown only this once.' }),
  old_token_valid_until: Type.String(),
});
