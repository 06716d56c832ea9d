import type { ErrorCode } from '../core/errors.ts';

export interface ErrorRow {
  readonly status: number;
  readonly detail: string;
  /** Sent as `Retry-After`, for errors that end by themselves after a typical time. */
  readonly retryAfterSeconds?: number;
}

/** Maps each reason to its status and `detail`. The details are the exact texts of the API specification. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  malformed_request: { status: 400, detail: 'Bad Request' },
  unsupported_content_type: { status: 400, detail: 'Bad Request' },
  body_too_large: { status: 400, detail: 'Bad Request' },
  invalid_token: { status: 401, detail: 'Invalid or inactive Bot API Key' },
  invalid_init_data: { status: 401, detail: 'Invalid or inactive Bot API Key' },
  route_not_found: { status: 404, detail: 'Bot not found' },
  bot_not_found: { status: 404, detail: 'Bot not found' },
  order_not_found: { status: 404, detail: 'Bot not found' },
  account_not_found: { status: 404, detail: 'Bot not found' },
  chat_not_found: { status: 404, detail: 'Bot not found' },
  button_not_found: { status: 404, detail: 'Bot not found' },
  link_not_found: { status: 404, detail: 'Bot not found' },
  webhook_not_found: { status: 404, detail: 'Bot not found' },
  delivery_not_found: { status: 404, detail: 'Bot not found' },
  validation_failed: { status: 422, detail: 'Validation error' },
  insufficient_funds: { status: 422, detail: 'Validation error' },
  quantity_too_large: { status: 422, detail: 'Validation error' },
  conflict: { status: 422, detail: 'Validation error' },
  webhook_disabled: { status: 422, detail: 'Validation error' },
  too_many_webhooks: { status: 422, detail: 'Validation error' },
  idempotency_mismatch: { status: 422, detail: 'Validation error' },
  filters_not_here: { status: 422, detail: 'Validation error' },
  resource_refused: { status: 422, detail: 'Validation error' },
  wrong_status: { status: 422, detail: 'Validation error' },
  request_in_flight: { status: 409, detail: 'Conflict' },
  telegram_unavailable: { status: 503, detail: 'Service Unavailable' },
  wrong_host: { status: 421, detail: 'Misdirected Request' },
  // A restart of PostgreSQL takes a second; the pool replaces a lost connection at once.
  database_unavailable: { status: 503, detail: 'Service Unavailable', retryAfterSeconds: 1 },
  too_many_requests: { status: 429, detail: 'Too Many Requests' },
  internal_error: { status: 500, detail: 'Internal Server Error' },
};
