import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { toRubles } from '../../../core/money.ts';
import { callerOf } from '../../../http/caller.ts';
import {
  ConfirmBody,
  type ConfirmCode,
  ConfirmManyBody,
  ConfirmManyResponse,
  ConfirmResponse,
  UserSubscriptionsBody,
  UserSubscriptionsResponse,
} from '../schemas.ts';
import { type TaskState, taskStatus } from '../task.ts';
import type { TaskFlow } from '../task-flow.ts';
import type { ConfirmOutcome } from './confirm-rules.ts';
import type { UserSubscription } from './list-subscriptions.ts';

const NOT_FOUND: ConfirmOutcome = { kind: 'order_not_found' };

export const confirmRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/confirm-subscription',
      { schema: { body: ConfirmBody, response: { 200: ConfirmResponse } } },
      async (request) => {
        const { user_id: userId, ads_id: orderId } = request.body;
        const { bot } = callerOf(request);
        const [outcome = NOT_FOUND] = await flow.confirm({ bot, userId, orderIds: [orderId] });
        if (outcome.kind === 'order_not_found' && !bot.warnsOfUnknownOrders) {
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
        const status = isOk ? ('ok' as const) : ('warning' as const);
        return { status, grant_access: grantsAccess, results };
      },
    );

    app.post(
      '/api/v1/user-subscriptions',
      { schema: { body: UserSubscriptionsBody, response: { 200: UserSubscriptionsResponse } } },
      async (request) => {
        const { user_id: userId, ads_ids: orderIds, links } = request.body;
        if (orderIds !== undefined && links !== undefined) {
          throw new ApiError('validation_failed', 'Send ads_ids or links, not both.', {
            fields: [{ field: 'links', message: 'must be absent when ads_ids is there' }],
          });
        }
        const found = await flow.listSubscriptions({ botId: callerOf(request).bot.id, userId, orderIds, links });
        return { status: 'ok' as const, subscriptions: found.map(presentSubscription) };
      },
    );
  };

type Response = Static<typeof ConfirmResponse>;
type SubscriptionResponse = Static<typeof UserSubscriptionsResponse>['subscriptions'][number];

const denied = (code: ConfirmCode, message: string): Response => ({
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
      return denied('order_not_found', 'Order not found');
  }
}

const CREDIT_STATUS = {
  shown: 'none',
  unreserved: 'none',
  expired: 'none',
  pending: 'pending',
  held: 'hold',
  paid: 'paid',
  settled: 'paid',
  reversed: 'none',
  rejected: 'none',
  notgetted: 'not_counted',
} as const satisfies Record<TaskState, string>;

function presentSubscription({ orderId, link, state }: UserSubscription): SubscriptionResponse {
  return {
    ads_id: orderId ?? null,
    link: link ?? null,
    is_shown: state !== undefined,
    status: taskStatus(state ?? 'shown'),
    credit_status: CREDIT_STATUS[state ?? 'shown'],
  };
}
