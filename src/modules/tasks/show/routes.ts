import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { callerOf } from '../../../http/caller.ts';
import type { Bot } from '../../bots/index.ts';
import type { TaskFlow } from '../task-flow.ts';
import type { SponsorTask } from './describe-tasks.ts';
import type { GetSponsorsInput } from './get-sponsors.ts';
import { presentConfirm, presentExplanation, presentSponsors } from './present.ts';
import {
  ConfirmAnswer,
  ConfirmBody,
  ConfirmManyAnswer,
  ConfirmManyBody,
  ExplainAnswer,
  GetSponsorsAnswer,
  GetSponsorsBody,
  PostbackBody,
} from './schemas.ts';

function sponsorsInput(bot: Bot, body: Static<typeof GetSponsorsBody>): GetSponsorsInput {
  return {
    bot,
    userId: body.user_id,
    action: body.action ?? 'subscribe',
    max: body.max_sponsors ?? bot.maxSponsors,
    chatId: body.chat_id ?? undefined,
    firstName: body.first_name,
    username: body.username,
    languageCode: body.language_code,
    isPremium: body.is_premium,
  };
}

/** Answers as they were written. Repeat callers get the very same tasks (remembered-answers.ts), and most calls are theirs. */
const bodies = new WeakMap<readonly SponsorTask[], string>();

/** The task flow for publisher bots. */
export const taskRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/get-sponsors',
      { schema: { body: GetSponsorsBody, response: { 200: GetSponsorsAnswer } } },
      async (request, reply) => {
        const { bot } = callerOf(request);
        const tasks = await flow.getSponsors(sponsorsInput(bot, request.body));
        let body = bodies.get(tasks);
        if (body === undefined) {
          body = reply.serializeInput(presentSponsors(tasks), '200') as string;
          bodies.set(tasks, body);
        }
        // Written already, by the same schema that would write it behind this.
        return reply.type('application/json; charset=utf-8').send(body as never);
      },
    );

    app.post(
      '/api/v1/explain',
      { schema: { body: GetSponsorsBody, response: { 200: ExplainAnswer } } },
      async (request) => presentExplanation(await flow.explain(sponsorsInput(callerOf(request).bot, request.body))),
    );

    app.post(
      '/api/v1/confirm-subscription',
      { schema: { body: ConfirmBody, response: { 200: ConfirmAnswer } } },
      async (request) => {
        const { user_id: userId, ads_id: orderId } = request.body;
        const [outcome] = await flow.confirm({ bot: callerOf(request).bot, userId, orderIds: [orderId] });
        if (outcome === undefined || outcome.kind === 'order_not_found') {
          throw new ApiError(
            'order_not_found',
            `There is no task ${orderId}: use an ads_id that get-sponsors returned.`,
          );
        }
        return presentConfirm(outcome);
      },
    );

    app.post(
      '/api/v1/confirm-subscriptions',
      { schema: { body: ConfirmManyBody, response: { 200: ConfirmManyAnswer } } },
      async (request) => {
        const { user_id: userId, ads_ids: orderIds } = request.body;
        const outcomes = await flow.confirm({ bot: callerOf(request).bot, userId, orderIds });
        const results = orderIds.flatMap((ads_id, i) => {
          const outcome = outcomes[i];
          return outcome === undefined ? [] : [{ ads_id, ...presentConfirm(outcome) }];
        });
        const isOk = results.every((result) => result.status === 'ok');
        const grantsAccess = results.every((result) => result.grant_access);
        return { status: isOk ? 'ok' : 'warning', grant_access: grantsAccess, results };
      },
    );
  };

export const POSTBACK_PATH = '/api/v1/postback';

/** For the side of advertisers whose bots we cannot check. Signed instead of behind a token. */
export const postbackRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      POSTBACK_PATH,
      { schema: { body: PostbackBody, response: { 200: Type.Object({ status: Type.String() }) } } },
      async ({ body: { click_id: clickId, status, signature } }) => {
        if (await flow.answerPostback({ clickId, status, signature })) return { status: 'ok' };
        throw new ApiError(
          'invalid_token',
          'The click id or its signature is not good: sign with the secret of the order.',
        );
      },
    );
  };
