import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { leftIn, statusFor } from '../gate.ts';
import {
  askFor,
  botOf,
  createResponder,
  type NetworkContract,
  type NetworkDeps,
  networkRoutes,
  OptionalInteger,
  UserId,
} from '../network-routes.ts';

const contract: NetworkContract = {
  prefix: '/compat/botohub',
  tokenIn: (request) => request.headers.auth,
  tokenPlace: 'in the Auth header',
  errorOf: ({ code, message }, status) => ({
    status,
    body: { error: code === 'invalid_token' ? 'Unauthorized' : message },
  }),
};

const TasksBody = Type.Object({ chat_id: UserId, max_op: OptionalInteger });

const accessFields = {
  completed: Type.Boolean({ description: 'Every task is done: let the user in.' }),
  skip: Type.Boolean({ description: 'There are no tasks for this user: let the user in.' }),
};
const ExtendedAnswer = Type.Object({
  tasks: Type.Array(Type.Object({ url: Type.String(), resource_id: Type.String(), completed: Type.Boolean() })),
  ...accessFields,
});
const TasksAnswer = Type.Object({
  tasks: Type.Array(Type.String({ description: 'The link of a task that is not done.' })),
  ...accessFields,
});
const Failure = Type.Object({ error: Type.String() });
const failures = { '4xx': Failure, '5xx': Failure };

export const botohubRoutes = ({ gate, access }: NetworkDeps): FastifyPluginAsync =>
  networkRoutes(access, contract, async (app) => {
    const respond = createResponder();
    for (const isExtended of [true, false]) {
      app.post(
        isExtended ? '/get-tasks-extended' : '/get-tasks',
        { schema: { body: TasksBody, response: { 200: isExtended ? ExtendedAnswer : TasksAnswer, ...failures } } },
        async (request, reply) => {
          const { chat_id: userId, max_op: max } = request.body;
          const answered = await gate.ask(askFor(botOf(request), { user_id: userId, max }));
          return respond(reply, answered, String(isExtended), () => {
            const left = leftIn(answered);
            return {
              tasks: isExtended
                ? answered.tasks.map((task) => ({
                    url: task.link,
                    resource_id: String(task.order.resource.chatId),
                    completed: statusFor(answered, task) !== 'unsubscribed',
                  }))
                : left.map(({ link }) => link),
              completed: left.length === 0,
              skip: answered.tasks.length === 0,
            };
          });
        },
      );
    }
  });
