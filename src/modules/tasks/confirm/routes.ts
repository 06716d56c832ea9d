import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../../core/errors.ts';
import { callerOf } from '../../../http/caller.ts';
import type { TaskFlow } from '../task-flow.ts';
import { presentConfirm } from './present.ts';
import { ConfirmBody, ConfirmManyBody, ConfirmManyResponse, ConfirmResponse } from './schemas.ts';

export const confirmRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/confirm-subscription',
      { schema: { body: ConfirmBody, response: { 200: ConfirmResponse } } },
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
      { schema: { body: ConfirmManyBody, response: { 200: ConfirmManyResponse } } },
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
