import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Clock, formatTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { callerOf } from '../../http/caller.ts';
import type { Bot } from './bot.ts';
import { GRACE_HOURS, type RotateOutcome, rotateToken } from './manage-tokens.ts';
import { findTokenHolders } from './store.ts';

export interface TokenRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
}

declare module '../../http/caller.ts' {
  interface CallerBot extends Bot {}
}

const HOUR_SECONDS = 60 * 60;

/** Describes and rotates the calling token. Needs no beta access. */
export const tokenRoutes =
  ({ db, clock }: TokenRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/token', { schema: { response: { 200: TokenAnswer } } }, async (request) => {
      // Reads the database: the cache may be behind a grant or a rotation of another process.
      const [holder] = await findTokenHolders(db, [callerOf(request).hash], clock.now());
      if (holder === undefined) throw ended();
      return {
        bot_id: holder.bot.id,
        bot_username: holder.bot.username,
        scopes: [...holder.scopes],
        created_at: formatTimestamp(holder.createdAt),
        expires_at: holder.validUntil === undefined ? null : formatTimestamp(holder.validUntil),
      };
    });

    app.post(
      '/api/v1/token/rotate',
      {
        schema: { body: RotateBody, response: { 201: RotateAnswer } },
      },
      async (request, reply) => {
        const { bot, hash } = callerOf(request);
        const graceSeconds = (request.body.grace_hours ?? GRACE_HOURS.default) * HOUR_SECONDS;
        const at = clock.now();
        const outcome = await db.transaction((tx) =>
          rotateToken(tx, { botId: bot.id, graceSeconds, at, askedBy: hash }),
        );
        const { token, oldValidUntil } = rotated(outcome);
        return reply
          .code(201)
          .header('Cache-Control', 'no-store')
          .send({ api_token: token, old_token_valid_until: formatTimestamp(oldValidUntil ?? at) });
      },
    );
  };

function rotated(outcome: RotateOutcome): Extract<RotateOutcome, { kind: 'rotated' }> {
  switch (outcome.kind) {
    case 'rotated':
      return outcome;
    case 'being_replaced':
      throw new ApiError(
        'conflict',
        `This token was rotated already and works until ${formatTimestamp(outcome.validUntil)}: use the new one. ` +
          'If it is lost, get another in the management bot: My bots, the bot, API token.',
      );
    case 'bot_not_found':
    case 'token_ended':
      throw ended();
  }
}

const ended = (): ApiError => new ApiError('invalid_token', 'This API token has just ended.');

const TokenAnswer = Type.Object({
  bot_id: Type.Integer(),
  bot_username: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'What the token may do beyond the task flow.' }),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'Set once the token is being replaced.' }),
});

const RotateBody = Type.Object({
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: GRACE_HOURS.min,
      maximum: GRACE_HOURS.max,
      description: `How long the old token goes on working. Default ${GRACE_HOURS.default}.`,
    }),
  ),
});

const RotateAnswer = Type.Object({
  api_token: Type.String({ description: 'The new token, shown only this once.' }),
  old_token_valid_until: Type.String(),
});
