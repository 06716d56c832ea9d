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
  OptionalFlag,
  OptionalInteger,
  OptionalText,
  UserId,
} from '../network-routes.ts';

const contract: NetworkContract = {
  prefix: '/compat/tgrass',
  tokenIn: (request) => request.headers.auth,
  tokenPlace: 'in the Auth header',
  errorOf: ({ message }, status) => ({ status, body: { detail: message, message } }),
};

const OffersBody = Type.Object({
  tg_user_id: UserId,
  tg_login: OptionalText(64),
  lang: OptionalText(35),
  is_premium: OptionalFlag,
  offers_limit: OptionalInteger,
});

const OffersAnswer = Type.Object({
  status: Type.Unsafe<'ok' | 'not_ok' | 'no_offers'>({
    type: 'string',
    enum: ['ok', 'not_ok', 'no_offers'],
    description: '`not_ok`: show the offers. `ok` and `no_offers`: let the user in.',
  }),
  offers: Type.Array(
    Type.Object({
      name: Type.String(),
      link: Type.String(),
      subscribed: Type.Boolean(),
      type: Type.Unsafe<'channel' | 'bot'>({ type: 'string', enum: ['channel', 'bot'] }),
      channel_id: Type.Union([Type.Integer(), Type.Null()]),
      offer_id: Type.Integer(),
    }),
  ),
});

const Failure = Type.Object({ detail: Type.String(), message: Type.String() });

export const tgrassRoutes = ({ gate, access }: NetworkDeps): FastifyPluginAsync =>
  networkRoutes(access, contract, async (app) => {
    const respond = createResponder();
    app.post(
      '/offers',
      { schema: { body: OffersBody, response: { 200: OffersAnswer, '4xx': Failure, '5xx': Failure } } },
      async (request, reply) => {
        const { body } = request;
        const answered = await gate.ask(
          askFor(botOf(request), {
            user_id: body.tg_user_id,
            username: body.tg_login,
            language_code: body.lang,
            is_premium: body.is_premium,
            max: body.offers_limit,
          }),
        );
        return respond(reply, answered, '', () => ({
          status: answered.tasks.length === 0 ? 'no_offers' : leftIn(answered).length === 0 ? 'ok' : 'not_ok',
          offers: answered.tasks.map((task) => ({
            name: task.order.title,
            link: task.link,
            subscribed: statusFor(answered, task) !== 'unsubscribed',
            type: task.order.resource.type,
            channel_id: task.order.resource.type === 'channel' ? task.order.resource.chatId : null,
            offer_id: task.order.id,
          })),
        }));
      },
    );
  });
