import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { toRubles } from '../../../core/money.ts';
import { type GateStatus, leftIn, statusFor } from '../gate.ts';
import { findByLinks } from '../match-links.ts';
import {
  askFor,
  botOf,
  createResponder,
  type NetworkContract,
  type NetworkDeps,
  networkRoutes,
  OptionalInteger,
  OptionalText,
  UserId,
} from '../network-routes.ts';

const contract: NetworkContract = {
  prefix: '/compat/piarflow',
  tokenIn: ({ headers: { authorization = '' } }) => /^Bearer\s+(\S+)$/i.exec(authorization)?.[1],
  tokenPlace: 'as Authorization: Bearer <token>',
  errorOf: ({ message }, status) => ({ status, body: { status: 'error', message } }),
};

const SponsorsBody = Type.Object({
  user_id: UserId,
  chat_id: OptionalInteger,
  max_sponsors: OptionalInteger,
  first_name: OptionalText(256),
  username: OptionalText(64),
  language_code: OptionalText(35),
  bio: OptionalText(4_096),
});

const CheckBody = Type.Object({
  user_id: UserId,
  links: Type.Array(Type.String({ maxLength: 2_048 }), { maxItems: 200 }),
});

const SponsorsAnswer = Type.Object({
  status: Type.Unsafe<'ok' | 'warning'>({
    type: 'string',
    enum: ['ok', 'warning'],
    description: '`warning`: show the sponsors.',
  }),
  sponsors: Type.Array(
    Type.Object({
      link: Type.String(),
      status: Type.Unsafe<'subscribed' | 'not_counted' | 'unsubscribed'>({
        type: 'string',
        enum: ['subscribed', 'not_counted', 'unsubscribed'],
      }),
      price: Type.Number({ description: 'Rubles.' }),
    }),
  ),
});

const Failure = Type.Object({ status: Type.Literal('error'), message: Type.String() });
const answers = { 200: SponsorsAnswer, '4xx': Failure, '5xx': Failure };

const wordFor = (status: GateStatus): 'subscribed' | 'not_counted' | 'unsubscribed' =>
  status === 'notgetted' ? 'not_counted' : status;

export const piarflowRoutes = ({ gate, access }: NetworkDeps): FastifyPluginAsync =>
  networkRoutes(access, contract, async (app) => {
    const respond = createResponder();

    app.post('/v1/sponsors', { schema: { body: SponsorsBody, response: answers } }, async (request, reply) => {
      const { max_sponsors: max, ...body } = request.body;
      const answered = await gate.ask(askFor(botOf(request), { ...body, max }));
      // The network's clients read 404 as "nothing to show".
      if (answered.tasks.length === 0) reply.code(404);
      return respond(reply, answered, '', () =>
        answered.tasks.length === 0
          ? { status: 'error', message: 'No sponsors for this user' }
          : {
              status: leftIn(answered).length === 0 ? 'ok' : 'warning',
              sponsors: answered.tasks.map((task) => ({
                link: task.link,
                status: wordFor(statusFor(answered, task)),
                price: toRubles(task.order.rewardKopecks),
              })),
            },
      );
    });

    app.post('/v1/sponsors/check', { schema: { body: CheckBody, response: answers } }, async (request) => {
      const { user_id: userId, links } = request.body;
      const found = findByLinks(await gate.review(botOf(request), Number(userId)), links);
      const sponsors = links.map((link) => ({
        link,
        status: wordFor(found.get(link)?.status ?? 'unsubscribed'),
        price: toRubles(found.get(link)?.order.rewardKopecks ?? 0n),
      }));
      const isPassed = sponsors.every(({ status }) => status !== 'unsubscribed');
      return { status: isPassed ? ('ok' as const) : ('warning' as const), sponsors };
    });
  });
