import { formatTimestamp } from '../../core/clock.ts';
import { formatEventId } from '../events/index.ts';
import type { LoggedDelivery } from './delivery-log-store.ts';
import type { Endpoint } from './endpoint.ts';
import type { DeliveryPage } from './manage-endpoints.ts';

const orNull = (time: Date | null): string | null => (time === null ? null : formatTimestamp(time));

export function presentEndpoint(endpoint: Endpoint) {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    is_enabled: endpoint.isEnabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: orNull(endpoint.disabledAt),
    failing_since: orNull(endpoint.failingSince),
    previous_secret_expires_at: orNull(endpoint.previousSecretUntil),
    created_at: formatTimestamp(endpoint.createdAt),
  };
}

export function presentPage({ deliveries, hasMore }: DeliveryPage) {
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
