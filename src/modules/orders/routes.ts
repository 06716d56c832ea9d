import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { moveOwnOrder, topUpOwnOrder } from './change-own-order.ts';
import { describeOrders, findOwnOrder, type Postback } from './find-own-order.ts';
import { type PlaceOrderDeps, placeOrder } from './place-order.ts';
import { kopecksOf, orderIdIn, orderNotFound, refuseFilters } from './refusals.ts';
import {
  IdempotencyHeaders,
  NewOrderBody,
  OrderAnswer,
  OrderListAnswer,
  OrderListQuery,
  OrderParams,
  TopUpBody,
} from './schemas.ts';
import { listOrdersPage } from './store.ts';

export interface OrderRoutesDeps extends PlaceOrderDeps {
  readonly postbackOf: (orderId: number) => Postback;
}

const DEFAULT_HOLD_HOURS = 24;
const PAGE = 20;

/** The endpoints for advertisers' orders. They set no filters but those on the quality of bots: the management bot sets the others. */
export const orderRoutes =
  (deps: OrderRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, postbackOf } = deps;
    app.addHook('onRequest', requireBeta);

    app.post(
      '/api/v1/orders',
      {
        schema: { body: NewOrderBody, headers: IdempotencyHeaders, response: { 201: OrderAnswer } },
        preValidation: async ({ body }) => refuseFilters(body),
      },
      async (request, reply) => {
        const { accountId } = callerOf(request).bot;
        const { body } = request;
        const { resource_type: type, link, chat_id: chatId, bot_token: botToken } = body;
        const orderId = await placeOrder(deps, {
          accountId,
          key: request.headers['idempotency-key'],
          request: body,
          resource: { type, link, chatId, botToken },
          terms: termsIn(body),
        });
        return reply.code(201).send(await describeOwn(orderId, accountId));
      },
    );

    app.get(
      '/api/v1/orders',
      { schema: { querystring: OrderListQuery, response: { 200: OrderListAnswer } } },
      async (request) => {
        const limit = Number(request.query.limit ?? PAGE);
        const before = request.query.cursor === undefined ? undefined : Number(request.query.cursor);
        const { accountId } = callerOf(request).bot;
        // Read one order more than requested: it shows whether there is a next page.
        const orders = await listOrdersPage(db, { accountId, before, limit: limit + 1 });
        const hasMore = orders.length > limit;
        const shown = orders.slice(0, limit);
        return {
          orders: await describeOrders(db, shown, postbackOf),
          next_cursor: hasMore ? String(shown.at(-1)?.id) : null,
          has_more: hasMore,
        };
      },
    );

    app.get('/api/v1/orders/:id', { schema: { params: OrderParams, response: { 200: OrderAnswer } } }, (request) =>
      describeOwn(orderIdIn(request.params.id), callerOf(request).bot.accountId),
    );

    for (const [verb, to] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['cancel', 'cancelled'],
    ] as const) {
      app.post(
        `/api/v1/orders/:id/${verb}`,
        { schema: { params: OrderParams, response: { 200: OrderAnswer } } },
        async (request) => {
          const { accountId } = callerOf(request).bot;
          const orderId = orderIdIn(request.params.id);
          await moveOwnOrder(deps, { accountId, orderId }, to);
          return describeOwn(orderId, accountId);
        },
      );
    }

    app.post(
      '/api/v1/orders/:id/top-up',
      {
        schema: { params: OrderParams, body: TopUpBody, headers: IdempotencyHeaders, response: { 200: OrderAnswer } },
      },
      async (request) => {
        const { accountId } = callerOf(request).bot;
        const orderId = orderIdIn(request.params.id);
        const { quantity } = request.body;
        await topUpOwnOrder(deps, { accountId, orderId }, { quantity, key: request.headers['idempotency-key'] });
        return describeOwn(orderId, accountId);
      },
    );

    async function describeOwn(orderId: number, accountId: number): Promise<Static<typeof OrderAnswer>> {
      const [description] = await describeOrders(db, [await findOwnOrder(db, { orderId, accountId })], postbackOf);
      if (description === undefined) throw orderNotFound(orderId);
      return description;
    }
  };

function termsIn(body: Static<typeof NewOrderBody>) {
  return {
    priceKopecks: kopecksOf('price_per_sub', body.price_per_sub),
    name: body.name ?? body.title,
    title: body.title,
    quantity: body.quantity,
    holdSeconds: (body.hold_hours ?? DEFAULT_HOLD_HOURS) * 60 * 60,
    refund: body.refund ?? true,
    dailyLimit: body.daily_limit ?? null,
    filters: {
      ...(body.min_quality !== undefined && { min_quality: { min: body.min_quality } }),
      ...(body.scored_sources_only === true && { scored_source: true }),
    },
  };
}
