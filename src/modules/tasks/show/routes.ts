import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { callerOf } from '../../../http/caller.ts';
import type { Bot } from '../../bots/index.ts';
import type { TaskFlow } from '../task-flow.ts';
import type { TaskWithOrder } from './describe-tasks.ts';
import type { GetSponsorsInput } from './get-sponsors.ts';
import { presentExplanation, presentSponsors } from './present.ts';
import { ExplainResponse, GetSponsorsBody, GetSponsorsResponse } from './schemas.ts';

/** Serialised responses. Repeat callers get the same array of tasks (task-cache.ts), and most calls are theirs. */
const responses = new WeakMap<readonly TaskWithOrder[], string>();

export const showRoutes =
  (flow: TaskFlow): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/v1/get-sponsors',
      { schema: { body: GetSponsorsBody, response: { 200: GetSponsorsResponse } } },
      async (request, reply) => {
        const tasks = await flow.getSponsors(toInput(callerOf(request).bot, request.body));
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
    max: body.max_sponsors ?? bot.maxSponsors,
    chatId: body.chat_id ?? undefined,
    firstName: body.first_name,
    username: body.username,
    languageCode: body.language_code,
    isPremium: body.is_premium,
  };
}
