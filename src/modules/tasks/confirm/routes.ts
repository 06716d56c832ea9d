import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { toRubles } from '../../../core/money.ts';
import { callerOf } from '../../../http/caller.ts';
import { ConfirmBody, ConfirmManyBody, ConfirmManyResponse, ConfirmResponse } from '../schemas.ts';
import type { TaskFlow } from '../task-flow.ts';
import type { ConfirmOutcome } from './confirm-rules.ts';

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

type Response = Static<typeof ConfirmResponse>;

const denied = (code: string, message: string): Response => ({
  status: 'warning',
  subscribed: false,
  message,
  code,
  grant_access: false,
  credit_status: 'none',
});

export function presentConfirm(outcome: ConfirmOutcome): Response {
  switch (outcome.kind) {
    case 'counted':
      return {
        status: 'ok',
        subscribed: true,
        credited: toRubles(outcome.rewardKopecks),
        message: 'Subscription confirmed',
        code: 'counted',
        grant_access: true,
        credit_status: outcome.inHold ? 'hold' : 'paid',
      };
    case 'pending':
      return {
        status: 'ok',
        subscribed: true,
        expected: toRubles(outcome.rewardKopecks),
        message: "Waiting for the sponsor's side to confirm",
        code: 'pending',
        grant_access: true,
        credit_status: 'pending',
      };
    case 'not_counted':
      return {
        status: 'ok',
        subscribed: true,
        credited: 0,
        message: 'Subscription is real but was not counted: this user had subscribed before',
        code: 'already_counted',
        grant_access: true,
        credit_status: 'not_counted',
      };
    case 'order_full':
      return {
        status: 'ok',
        subscribed: true,
        credited: 0,
        message: 'Subscription is real but was not counted: the order has no room left',
        code: 'order_full',
        grant_access: true,
        credit_status: 'not_counted',
      };
    case 'not_subscribed':
      return denied('not_subscribed', 'User is not subscribed');
    case 'not_shown':
      return denied('not_shown', 'Sponsor was not shown');
    case 'banned':
      return denied('user_banned', 'User is banned');
    case 'unavailable':
      return denied('check_unavailable', 'Telegram could not be asked right now, please try again');
    case 'order_not_found':
      return denied('order_not_found', 'There is no such task');
  }
}
