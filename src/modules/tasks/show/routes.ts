import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { toRubles } from '../../../core/money.ts';
import { callerOf } from '../../../http/caller.ts';
import { type Bot, MAX_SPONSORS } from '../../bots/index.ts';
import { FILTERS } from '../../targeting/index.ts';
import { ExplainResponse, GetSponsorsBody, GetSponsorsResponse } from '../schemas.ts';
import { taskStatus } from '../task.ts';
import type { TaskFlow } from '../task-flow.ts';
import { REMOVAL_REASONS } from './describe-user.ts';
import type { Explanation } from './explain-tasks.ts';
import type { GetSponsorsInput, TaskWithOrder } from './get-sponsors.ts';

/** Serialised responses. Repeat callers get the same array of tasks (`TaskCache`), and most calls are theirs. */
const responses = new WeakMap<readonly TaskWithOrder[], string>();

export const showRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/get-sponsors',
      { schema: { body: GetSponsorsBody, response: { 200: GetSponsorsResponse } } },
      async (request, reply) => {
        const { tasks } = await flow.getSponsors(toInput(callerOf(request).bot, request.body));
        let response = responses.get(tasks);
        if (response === undefined) {
          response = reply.serializeInput(presentSponsors(tasks), '200') as string;
          responses.set(tasks, response);
        }
        return reply.type('application/json; charset=utf-8').send(response as never);
      },
    );

    app.post(
      '/api/v1/explain',
      { schema: { body: GetSponsorsBody, response: { 200: ExplainResponse } } },
      async (request) => presentExplanation(await flow.explain(toInput(callerOf(request).bot, request.body))),
    );
  };

function toInput(bot: Bot, body: Static<typeof GetSponsorsBody>): GetSponsorsInput {
  return {
    bot,
    userId: body.user_id,
    action: body.action ?? 'subscribe',
    max: Math.min(body.max_sponsors ?? bot.maxSponsors, MAX_SPONSORS.max),
    chatId: body.chat_id,
    firstName: body.first_name,
    username: body.username,
    languageCode: body.language_code,
    isPremium: body.is_premium,
  };
}

export function presentSponsors(tasks: readonly TaskWithOrder[]): Static<typeof GetSponsorsResponse> {
  if (tasks.length === 0) return { status: 'ok', sponsors: [], message: 'No tasks left, the user may proceed' };
  return {
    status: 'warning',
    sponsors: tasks.map(({ task, order, link, approvalPercent }) => ({
      ads_id: order.id,
      link,
      resource_type: order.resource.type,
      title: order.title,
      status: taskStatus(task.state),
      reward: toRubles(task.rewardKopecks),
      ...(approvalPercent !== undefined && { approval_pct: approvalPercent }),
    })),
  };
}

function presentExplanation(explanation: Explanation) {
  const { removedByBarrier, removedByFilter } = explanation;
  return {
    active_orders: explanation.activeOrders,
    matching_orders: explanation.matchingOrders,
    removed: {
      paused: explanation.pausedOrders,
      ...Object.fromEntries(REMOVAL_REASONS.map((reason) => [reason, removedByBarrier.get(reason) ?? 0])),
    },
    removed_by_filter: Object.fromEntries(FILTERS.map(({ key }) => [key, removedByFilter.get(key) ?? 0])),
    user_is_banned: explanation.isBanned,
    user_is_over_limit: explanation.isHiddenByLimit,
  };
}
