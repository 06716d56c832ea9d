/**
 * The closed set of reasons for which a request is refused. `http/error-table.ts` gives each its status and the exact
 * `detail` of the contract; adding a reason here does not compile until it has a row there.
 */
export type ErrorCode =
  | 'malformed_request'
  | 'unsupported_content_type'
  | 'body_too_large'
  | 'invalid_token'
  | 'invalid_init_data'
  | 'route_not_found'
  | 'bot_not_found'
  | 'order_not_found'
  | 'account_not_found'
  | 'chat_not_found'
  | 'button_not_found'
  | 'link_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'validation_failed'
  | 'insufficient_funds'
  | 'quantity_too_large'
  | 'conflict'
  | 'webhook_disabled'
  | 'too_many_webhooks'
  | 'request_in_flight'
  | 'idempotency_mismatch'
  | 'filters_not_here'
  | 'resource_refused'
  | 'wrong_status'
  | 'telegram_unavailable'
  | 'database_unavailable'
  | 'too_many_requests'
  | 'wrong_host'
  | 'internal_error';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A refusal that the caller is meant to read. `message` is public; anything private belongs in `cause`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;

  constructor(code: ErrorCode, message: string, options: { fields?: readonly FieldError[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
  }
}

/** A rule of ours that can only be broken by a bug. Stays on in production: better no answer than a wrong balance. */
export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${rule}`);
}

/** The service cannot start, and whoever starts it can mend that. The message is one line that says how. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
