import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { TaskFlow } from '../task-flow.ts';

export const POSTBACK_PATH = '/api/v1/postback';

export const PostbackBody = Type.Object({
  click_id: Type.String({ maxLength: 64, description: 'What our link carried as `start`.' }),
  status: Type.Unsafe<'approved' | 'rejected'>({ type: 'string', enum: ['approved', 'rejected'] }),
  signature: Type.String({
    maxLength: 128,
    description: 'Hex HMAC-SHA256 of `<click_id>:<status>` under the secret of the order.',
  }),
});

/** For advertisers whose bots we cannot check. The request is signed and needs no token. */
export const postbackRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      POSTBACK_PATH,
      { schema: { body: PostbackBody, response: { 200: Type.Object({ status: Type.String({ enum: ['ok'] }) }) } } },
      async ({ body: { click_id: clickId, status, signature } }) => {
        if (await flow.recordPostback({ clickId, status, signature })) return { status: 'ok' };
        throw new ApiError(
          'invalid_token',
          'The click id or its signature is not good: sign with the secret of the order.',
        );
      },
    );
  };
