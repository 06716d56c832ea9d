/**
 * All reasons for which the API refuses a request. `http/errors.ts` lists the status and the exact `detail` of
 * each one; a new reason does not compile until it has a row there.
 */
export type ErrorCode =
  | 'malformed_request'
  | 'unsupported_content_type'
  | 'body_too_large'
  | 'invalid_token'
  | 'invalid_init_data'
  | 'method_not_allowed'
  | 'unsupported_encoding'
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

/** A refusal that is sent to the caller. `message` is public; private details belong in `cause`. */
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

/**
 * Throws when an invariant is broken, which only a bug can cause. Production checks too: an error beats a wrong
 * balance.
 */
export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${rule}`);
}

/**
 * The service cannot start until the operator changes something. The message is one line that explains what to change.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
