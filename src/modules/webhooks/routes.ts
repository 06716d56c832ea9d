import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { formatTimestamp } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { EVENT_DAYS, formatEventId, parseEventId } from '../events/index.ts';
import type { LoggedDelivery } from './delivery-log-store.ts';
import { type Endpoint, MAX_ENDPOINTS } from './endpoint.ts';
import {
  createEndpoint,
  type DeliveryPage,
  deleteEndpoint,
  type EndpointDeps,
  enableEndpoint,
  listDeliveries,
  listEndpoints,
  replay,
  rotateSecret,
  sendTest,
} from './manage-endpoints.ts';
import {
  CreateWebhookBody,
  DEFAULT_PAGE,
  DeliveriesAnswer,
  DeliveriesQuery,
  ReplayAnswer,
  ReplayBody,
  TestAnswer,
  WebhookAnswer,
  WebhookParams,
  WebhooksAnswer,
  WebhookWithSecretAnswer,
} from './schemas.ts';

const PATH = '/api/v1/webhooks';

/** Webhooks of the token's owner. A closed beta, unless the operator has opened it. */
export const webhookRoutes =
  (deps: EndpointDeps & { readonly isOpen?: boolean }): FastifyPluginAsyncTypebox =>
  async (app) => {
    if (deps.isOpen !== true) app.addHook('onRequest', requireBeta);

    app.post(
      PATH,
      { schema: { body: CreateWebhookBody, response: { 201: WebhookWithSecretAnswer } } },
      async (request, reply) => {
        const { accountId } = callerOf(request).bot;
        const outcome = await createEndpoint(deps, { ...request.body, accountId });
        switch (outcome.kind) {
          case 'created':
            return reply.code(201).send({ ...presentEndpoint(outcome.endpoint), secret: outcome.secret });
          case 'invalid_url':
            throw invalid('url', outcome.message);
          case 'too_many':
            throw new ApiError('too_many_webhooks', `You have ${MAX_ENDPOINTS} webhooks already: delete one first.`, {
              fields: [{ field: 'url', message: `would be webhook number ${MAX_ENDPOINTS + 1}` }],
            });
        }
      },
    );

    app.get(PATH, { schema: { response: { 200: WebhooksAnswer } } }, async (request) => ({
      webhooks: (await listEndpoints(deps, callerOf(request).bot.accountId)).map(presentEndpoint),
    }));

    app.delete(
      `${PATH}/:id`,
      { schema: { params: WebhookParams, response: { 204: Type.Null() } } },
      async (request, reply) => {
        if (!(await deleteEndpoint(deps, keyIn(request)))) throw endpointNotFound(request);
        return reply.code(204).send(null);
      },
    );

    app.post(
      `${PATH}/:id/test`,
      { schema: { params: WebhookParams, response: { 202: TestAnswer } } },
      async (request, reply) => {
        const outcome = await sendTest(deps, keyIn(request));
        switch (outcome.kind) {
          case 'queued':
            return reply.code(202).send({ delivery_id: formatEventId(outcome.eventId) });
          case 'disabled':
            throw endpointDisabled(request);
          case 'not_found':
            throw endpointNotFound(request);
        }
      },
    );

    app.post(
      `${PATH}/:id/rotate-secret`,
      { schema: { params: WebhookParams, response: { 200: WebhookWithSecretAnswer } } },
      async (request) => {
        const rotated = await rotateSecret(deps, keyIn(request));
        if (rotated === undefined) throw endpointNotFound(request);
        return { ...presentEndpoint(rotated.endpoint), secret: rotated.secret };
      },
    );

    app.post(
      `${PATH}/:id/enable`,
      { schema: { params: WebhookParams, response: { 200: WebhookAnswer } } },
      async (request) => {
        const endpoint = await enableEndpoint(deps, keyIn(request));
        if (endpoint === undefined) throw endpointNotFound(request);
        return presentEndpoint(endpoint);
      },
    );

    app.get(
      `${PATH}/:id/deliveries`,
      { schema: { params: WebhookParams, querystring: DeliveriesQuery, response: { 200: DeliveriesAnswer } } },
      async (request) => {
        const { limit, cursor } = request.query;
        const page = await listDeliveries(deps, keyIn(request), {
          limit: limit === undefined ? DEFAULT_PAGE : Number(limit),
          beforeId: cursor === undefined ? undefined : parseEventId(cursor),
        });
        if (page === undefined) throw endpointNotFound(request);
        return presentPage(page);
      },
    );

    app.post(
      `${PATH}/:id/replay`,
      { schema: { params: WebhookParams, body: ReplayBody, response: { 202: ReplayAnswer } } },
      async (request, reply) => {
        const { delivery_id: deliveryId, since, until } = request.body;
        const outcome = await replay(deps, keyIn(request), whatToReplay(deliveryId, since, until));
        switch (outcome.kind) {
          case 'replayed':
            return reply.code(202).send({ replayed: outcome.count });
          case 'disabled':
            throw endpointDisabled(request);
          case 'delivery_not_found':
            throw new ApiError(
              'delivery_not_found',
              `This webhook has no delivery ${deliveryId}; events are kept for ${EVENT_DAYS} days.`,
            );
          case 'not_found':
            throw endpointNotFound(request);
        }
      },
    );
  };

interface WithId {
  readonly params: { readonly id: string };
}

function keyIn(request: FastifyRequest & WithId) {
  return { endpointId: Number(request.params.id), accountId: callerOf(request).bot.accountId };
}

function whatToReplay(deliveryId: string | undefined, since: string | undefined, until: string | undefined) {
  if (deliveryId === undefined && since !== undefined) {
    return { since: new Date(since), until: until === undefined ? undefined : new Date(until) };
  }
  if (until !== undefined) throw invalid('until', 'is of use only with since');
  const eventId = since === undefined && deliveryId !== undefined ? parseEventId(deliveryId) : undefined;
  if (eventId === undefined) throw invalid('delivery_id', 'or since is needed, and not both');
  return { eventId };
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field} ${message}.`, { fields: [{ field, message }] });
}

function endpointNotFound({ params }: WithId): ApiError {
  return new ApiError('webhook_not_found', `You have no webhook ${params.id}.`);
}

function endpointDisabled({ params }: WithId): ApiError {
  return new ApiError('webhook_disabled', `Webhook ${params.id} is disabled: enable it first (POST …/enable).`, {
    fields: [{ field: 'id', message: 'is a disabled webhook' }],
  });
}

const orNull = (time: Date | null): string | null => (time === null ? null : formatTimestamp(time));

function presentEndpoint(endpoint: Endpoint) {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    format: endpoint.format,
    is_enabled: endpoint.isEnabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: orNull(endpoint.disabledAt),
    failing_since: orNull(endpoint.failingSince),
    previous_secret_expires_at: orNull(endpoint.previousSecretUntil),
    created_at: formatTimestamp(endpoint.createdAt),
  };
}

function presentPage({ deliveries, hasMore }: DeliveryPage) {
  const last = deliveries.at(-1);
  return {
    deliveries: deliveries.map(presentDelivery),
    next_cursor: hasMore && last !== undefined ? formatEventId(last.eventId) : null,
    has_more: hasMore,
  };
}

function presentDelivery(delivery: LoggedDelivery) {
  return {
    delivery_id: formatEventId(delivery.eventId),
    type: delivery.type,
    sequence: delivery.sequence,
    status: delivery.state,
    created_at: formatTimestamp(delivery.createdAt),
    next_attempt_at: orNull(delivery.nextAttemptAt),
    delivered_at: orNull(delivery.deliveredAt),
    payload: delivery.payload,
    attempts: delivery.attempts.map((attempt) => ({
      attempted_at: formatTimestamp(attempt.attemptedAt),
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.error,
      response_headers: attempt.responseHeaders,
      response: attempt.response,
    })),
  };
}
