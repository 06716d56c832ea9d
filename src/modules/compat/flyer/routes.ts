import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatTimestamp } from '../../../core/clock.ts';
import { toRubles } from '../../../core/money.ts';
import { formatSignature, parseSignature } from '../../../core/task-signature.ts';
import type { ConfirmOutcome } from '../../tasks/index.ts';
import { leftIn } from '../gate.ts';
import { readMessageSettings, sendGateMessage } from '../gate-message.ts';
import {
  askFor,
  botOf,
  createResponder,
  languageOf,
  type NetworkContract,
  type NetworkDeps,
  networkRoutes,
  nullable,
  OptionalInteger,
  OptionalText,
  UserId,
} from '../network-routes.ts';

const contract: NetworkContract = {
  prefix: '/compat/flyer',
  tokenIn: ({ body }) => (body as { key?: unknown } | undefined)?.key,
  isTokenInBody: true,
  tokenPlace: 'in the field key',
  errorOf: ({ message }) => ({ status: 200, body: { error: message } }),
};

const key = Type.String({ maxLength: 200, description: 'The API token of your bot.' });
const MessageBody = Type.Object({
  rows: OptionalInteger,
  text: OptionalText(4_096),
  button_channel: OptionalText(64),
  button_bot: OptionalText(64),
  button_url: OptionalText(64),
});

const GetMeBody = Type.Object({ key });
const CheckBody = Type.Object({
  key,
  user_id: UserId,
  language_code: OptionalText(35),
  message: nullable<Static<typeof MessageBody>>(MessageBody),
});
const TasksBody = Type.Object({ key, user_id: UserId, language_code: OptionalText(35), limit: OptionalInteger });
const CheckTaskBody = Type.Object({ key, signature: Type.String({ maxLength: 100 }) });
const CompletedBody = Type.Object({ key, user_id: UserId });

/** Every error is a 200 with `error`. */
const error = Type.Optional(Type.String({ description: 'What went wrong. Then no other field is present.' }));
const MeAnswer = Type.Object({
  type: Type.Optional(Type.String({ description: '`sub`: we send the gate message. `tasks`: you show the tasks.' })),
  status: Type.Optional(Type.Boolean()),
  bot_id: Type.Optional(Type.Integer()),
  username: Type.Optional(Type.String()),
  error,
});
const CheckAnswer = Type.Object({
  skip: Type.Optional(Type.Boolean({ description: 'true: let the user in.' })),
  warning: Type.Optional(Type.String({ description: 'Why the gate message was not sent.' })),
  error,
});
const Task = Type.Object({
  signature: Type.String(),
  task: Type.String({ description: '`subscribe channel` or `start bot`.' }),
  price: Type.Number({ description: 'Rubles.' }),
  links: Type.Array(Type.String()),
  name: Type.String(),
  status: Type.String(),
  resource_id: Type.Integer(),
});
const TasksAnswer = Type.Object({ result: Type.Optional(Type.Array(Task)), error });
const CheckTaskAnswer = Type.Object({
  result: Type.Optional(Type.String({ description: '`incomplete`, `abort`, `waiting`, `complete` or `unavailable`.' })),
  error,
});
const CompletedAnswer = Type.Object({
  result: Type.Optional(
    Type.Object({
      completed_tasks: Type.Array(
        Type.Object({ signature: Type.String(), name: Type.String(), shown_at: Type.String() }),
      ),
    }),
  ),
  error,
});

export const flyerRoutes = (deps: NetworkDeps): FastifyPluginAsync => {
  const { gate, access, db } = deps;
  return networkRoutes(access, contract, async (app) => {
    const respond = createResponder();
    app.post('/get_me', { schema: { body: GetMeBody, response: { 200: MeAnswer } } }, async (request) => {
      const { id, username } = botOf(request);
      const type = (await readMessageSettings(db, id)).hasToken ? 'sub' : 'tasks';
      return { type, status: true, bot_id: id, username };
    });

    app.post('/check', { schema: { body: CheckBody, response: { 200: CheckAnswer } } }, async (request) => {
      const { user_id, language_code, message } = request.body;
      const bot = botOf(request);
      const left = leftIn(await gate.ask(askFor(bot, { user_id, language_code })));
      if (left.length === 0) return { skip: true };
      const warning = await sendGateMessage(deps, {
        bot,
        userId: Number(user_id),
        tasks: left,
        language: languageOf(language_code),
        texts: {
          text: message?.text,
          buttonChannel: message?.button_channel,
          buttonBot: message?.button_bot,
          perRow: message?.rows,
        },
      });
      return warning === undefined ? { skip: false } : { skip: true, warning };
    });

    app.post('/get_tasks', { schema: { body: TasksBody, response: { 200: TasksAnswer } } }, async (request, reply) => {
      const { user_id, language_code, limit: max } = request.body;
      const answered = await gate.ask(askFor(botOf(request), { user_id, language_code, max }));
      return respond(reply, answered, '', () => ({
        result: leftIn(answered).map(({ order, link }) => ({
          signature: formatSignature({ userId: Number(user_id), orderId: order.id }),
          task: order.resource.type === 'channel' ? 'subscribe channel' : 'start bot',
          price: toRubles(order.rewardKopecks),
          links: [link],
          name: order.title,
          status: 'incomplete',
          resource_id: order.resource.chatId,
        })),
      }));
    });

    app.post(
      '/check_task',
      { schema: { body: CheckTaskBody, response: { 200: CheckTaskAnswer } } },
      async (request) => {
        const task = parseSignature(request.body.signature);
        if (task === undefined) return { result: 'unavailable' };
        const bot = botOf(request);
        const outcome = await gate.confirm(bot, task.userId, task.orderId);
        if (outcome.kind !== 'not_subscribed') return { result: WORDS[outcome.kind] };
        const state = (await gate.review(bot, task.userId)).find(({ order }) => order.id === task.orderId)?.state;
        return { result: state === 'reversed' ? 'abort' : 'incomplete' };
      },
    );

    app.post(
      '/get_completed_tasks',
      { schema: { body: CompletedBody, response: { 200: CompletedAnswer } } },
      async (request) => {
        const userId = Number(request.body.user_id);
        const done = (await gate.review(botOf(request), userId)).filter(({ status }) => status !== 'unsubscribed');
        return {
          result: {
            completed_tasks: done.map(({ order, shownAt }) => ({
              signature: formatSignature({ userId, orderId: order.id }),
              name: order.title,
              shown_at: formatTimestamp(shownAt),
            })),
          },
        };
      },
    );
  });
};

/** `unavailable` is for tasks that do not exist. When Telegram is silent, the task is not done yet. */
const WORDS: Readonly<Record<ConfirmOutcome['kind'], string>> = {
  counted: 'complete',
  not_counted: 'complete',
  order_full: 'complete',
  pending: 'waiting',
  not_subscribed: 'incomplete',
  unavailable: 'incomplete',
  banned: 'unavailable',
  not_shown: 'unavailable',
  order_not_found: 'unavailable',
};
