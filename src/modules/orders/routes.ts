import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { requireBeta } from '../../http/beta.ts';
import { callerOf } from '../../http/caller.ts';
import { onceOnly } from '../accounts/index.ts';
import { changeOrderStatus, topUpOrder } from './change-order.ts';
import { createOrder } from './create-order.ts';
import { describeOrders, type Postback } from './describe-orders.ts';
import type { Order } from './order.ts';
import type { OrderBook } from './order-book.ts';
import { kopecksOf, orderIdIn, orderNotFound, refuseFilters, resourceOf, tooPoor, wrongStatus } from './refusals.ts';
import type { ResourceResolver } from './resource-resolver.ts';
import {
  IdempotencyHeaders,
  NewOrderBody,
  OrderAnswer,
  OrderListAnswer,
  OrderListQuery,
  OrderParams,
  TopUpBody,
} from './schemas.ts';
import { findOrders, listOrdersPage } from './store.ts';

export interface OrderRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly book: OrderBook;
  readonly resolver: ResourceResolver;
  readonly publisherSharePercent: number;
  /** Whether an operator looks at new orders first. */
  readonly isModerated: boolean;
  readonly postbackOf: (orderId: number) => Postback;
}

const DEFAULT_HOLD_HOURS = 24;
const PAGE = 20;

/** Traffic orders for advertisers. Filters are not here: they are set in the management bot. */
export const orderRoutes =
  (deps: OrderRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, book, postbackOf } = deps;
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
        const priceKopecks = kopecksOf('price_per_sub', body.price_per_sub);
        const { resource_type: type, link, chat_id: chatId, bot_token: botToken } = body;
        const resource = resourceOf(await deps.resolver.resolve({ type, link, chatId, botToken }));
        const at = clock.now();
        const key = request.headers['idempotency-key'];
        const { orderId } = await onceOnly(db, { accountId, key, request: body, at }, async (tx) => {
          const created = await createOrder(deps, tx, {
            ...termsIn(body),
            accountId,
            resource,
            priceKopecks,
            status: deps.isModerated ? 'moderation' : 'active',
            at,
          });
          if (created.kind === 'insufficient_funds') throw tooPoor(created.neededKopecks, created.availableKopecks);
          return { orderId: created.orderId };
        });
        await book.reload([orderId]);
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
        // One more than asked for tells whether there is a next page.
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
          const order = await findOwn(orderIdIn(request.params.id), accountId);
          // An order that waits for an operator is not its owner's to start.
          if (order.status === 'moderation' && to === 'active') throw wrongStatus(order.id, order.status);
          const outcome = await db.transaction((tx) =>
            changeOrderStatus(tx, { orderId: order.id, to, at: clock.now() }),
          );
          if (outcome.kind === 'not_allowed') throw wrongStatus(order.id, outcome.status);
          await book.reload([order.id]);
          return describeOwn(order.id, accountId);
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
        const { id: orderId } = await findOwn(orderIdIn(request.params.id), accountId);
        const { quantity } = request.body;
        const at = clock.now();
        const key = request.headers['idempotency-key'];
        await onceOnly(db, { accountId, key, request: { orderId, quantity }, at }, async (tx) => {
          const done = await topUpOrder(tx, { orderId, quantity, key: randomUUID(), at });
          if (done.kind === 'insufficient_funds') throw tooPoor(done.neededKopecks, done.availableKopecks);
          if (done.kind === 'not_allowed') throw wrongStatus(orderId, done.status);
          return { orderId };
        });
        await book.reload([orderId]);
        return describeOwn(orderId, accountId);
      },
    );

    /** Another owner's order does not exist for this one. */
    async function findOwn(orderId: number, accountId: number): Promise<Order> {
      const [order] = await findOrders(db, [orderId]);
      if (order === undefined || order.accountId !== accountId) throw orderNotFound(orderId);
      return order;
    }

    async function describeOwn(orderId: number, accountId: number): Promise<Static<typeof OrderAnswer>> {
      const [description] = await describeOrders(db, [await findOwn(orderId, accountId)], postbackOf);
      if (description === undefined) throw orderNotFound(orderId);
      return description;
    }
  };

function termsIn(body: Static<typeof NewOrderBody>) {
  return {
    name: body.name ?? body.title,
    title: body.title,
    link: body.link,
    quantity: body.quantity,
    holdSeconds: (body.hold_hours ?? DEFAULT_HOLD_HOURS) * 60 * 60,
    refund: body.refund ?? true,
    dailyLimit: body.daily_limit ?? null,
  };
}
