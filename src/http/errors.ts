import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../core/database.ts';
import { ApiError, type ErrorCode, type FieldError } from '../core/errors.ts';
import { createOutageLog } from '../core/outage-log.ts';
import { sendErrorPage } from './error-page.ts';
import { wantsPage } from './page.ts';

/** Enough to correct a request. The limit keeps the response to a hostile request short. */
const MAX_SHOWN_PROBLEMS = 20;

export interface ErrorBody {
  readonly detail: string;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  /** Only on a 500: the caller names it in a report, and the operator finds it in the log. */
  readonly request_id?: string;
}

export function errorBody(error: ApiError): ErrorBody {
  const { detail } = ERROR_TABLE[error.code];
  const body = { detail, code: error.code, message: error.message };
  return error.fields === undefined ? body : { ...body, errors: error.fields };
}

/**
 * Sends the response to every failed request: a page to browsers, JSON to all others. Logs an unexpected error in full but
 * shows the caller no details of it.
 */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown);
  const body = errorBody(error);
  const { status, retryAfterSeconds } = ERROR_TABLE[error.code];
  reply.code(status);
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
  logFailure(error, thrown, request);
  const requestId = error.code === 'internal_error' ? request.id : undefined;
  if (wantsPage(request)) return sendErrorPage(request, reply, { error, requestId });
  const sent = requestId === undefined ? body : { ...body, request_id: requestId };
  // Not the route's serializer: the routes of other networks describe errors of another form.
  return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(sent);
}

/** Logs what is our fault: unexpected errors in full, and an outage of the database once for many requests. */
export function logFailure(error: ApiError, thrown: unknown, request: FastifyRequest): void {
  if (error.code === 'internal_error') request.log.error({ err: thrown }, 'request failed');
  if (error.code !== 'database_unavailable') return;
  databaseOutage.failed((failures) =>
    request.log.error(
      { reason: String(error.cause), failures },
      'the database is away; requests are answered with 503',
    ),
  );
}

export function routeNotFound({ method, url }: FastifyRequest): ApiError {
  const path = url.split('?', 1)[0] ?? '';
  return new ApiError('route_not_found', `There is no ${method} ${path.slice(0, 100)} here.`);
}

export function methodNotAllowed({ method }: FastifyRequest, allowed: readonly string[]): ApiError {
  return new ApiError('method_not_allowed', `This path takes ${allowed.join(', ')}, not ${method}.`);
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DatabaseUnavailable) return databaseUnavailable(thrown);
  if (!isFastifyError(thrown)) return internalError(thrown);
  if (thrown.validation !== undefined) return validationError(thrown);
  switch (thrown.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_content_type', 'Send the body as JSON, with Content-Type: application/json.');
    case 'FST_ERR_BAD_URL':
      return new ApiError('malformed_request', 'The address is not a valid URL.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', 'The body is larger than 64 KiB.');
    default:
      break;
  }
  const isCallersFault = thrown.statusCode !== undefined && thrown.statusCode >= 400 && thrown.statusCode < 500;
  return isCallersFault
    ? new ApiError('malformed_request', 'The request could not be read: check that the body is valid JSON.')
    : internalError(thrown);
}

/** Returns the error for requests during a database outage. The caller may send the same request again. */
export const databaseUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'database_unavailable',
    'The service is not ready right now; nothing was lost. Please retry in a moment.',
    {
      cause,
    },
  );

const databaseOutage = createOutageLog();

const internalError = (cause: unknown): ApiError =>
  new ApiError('internal_error', 'Something failed on our side; nothing was lost. Please retry in a moment.', {
    cause,
  });

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && ('statusCode' in thrown || 'validation' in thrown);
}

type Problem = NonNullable<FastifyError['validation']>[number];

function validationError(error: FastifyError): ApiError {
  const place = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body');
  const fields = (error.validation ?? []).slice(0, MAX_SHOWN_PROBLEMS).map((problem): FieldError => {
    const { missingProperty } = problem.params;
    const path = problem.instancePath.slice(1).replaceAll('/', '.');
    const field = typeof missingProperty === 'string' ? [path, missingProperty].filter(Boolean).join('.') : path;
    return { field: field || place, message: describe(problem) };
  });
  const named = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ApiError('validation_failed', `Check these fields: ${named}.`, { fields });
}

/** Replaces messages of the validator that are hard to understand for callers. */
function describe({ keyword, params, message }: Problem): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'enum':
      return `must be one of: ${String(params.allowedValues).replaceAll(',', ', ')}`;
    case 'pattern':
      return 'has characters or a form that are not allowed here';
    case 'additionalProperties':
      return `has an unknown key: ${String(params.additionalProperty).slice(0, 50)}`;
    default:
      return message ?? 'is not valid';
  }
}

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
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  unsupported_encoding: { status: 415, detail: 'Unsupported Media Type' },
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
