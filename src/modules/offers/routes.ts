import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../core/errors.ts';
import { callerOf } from '../../http/caller.ts';
import { presentConfirm, presentSponsors } from './present.ts';
import {
  ConfirmAnswer,
  ConfirmBody,
  ConfirmManyAnswer,
  ConfirmManyBody,
  GetSponsorsAnswer,
  GetSponsorsBody,
} from './schemas.ts';
import type { TaskFlow } from './task-flow.ts';

/** The task flow for publisher bots. */
export const taskRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/get-sponsors',
      { schema: { body: GetSponsorsBody, response: { 200: GetSponsorsAnswer } } },
      async (request) => {
        const { bot } = callerOf(request);
        const { user_id: userId, action = 'subscribe', max_sponsors: max = bot.maxSponsors } = request.body;
        return presentSponsors(await flow.getSponsors({ bot, userId, action, max }));
      },
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
