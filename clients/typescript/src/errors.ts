import type { ErrorCode } from './generated/api.ts';

/** Errors without a response of the service. */
export type TransportCode = 'network_error' | 'timeout' | 'unexpected_answer';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ErrorParts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
}

/**
 * The error of every failed call, except those that the caller's signal ended. It contains neither the token nor the
 * request, so it can be logged.
 */
export class SponsorgateError extends Error {
  override readonly name = 'SponsorgateError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The reason, for programs. Newer services can have more reasons than this client. */
  readonly code: ErrorCode | TransportCode | (string & {});
  /** The service's fixed text for the status. */
  readonly detail: string | undefined;
  /** The invalid fields, on 422. */
  readonly fields: readonly FieldError[];
  /** The time to wait, on 429. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the request in the log of the service: name it when you report a problem. */
  readonly requestId: string | undefined;

  constructor({ status, code, message, detail, fields = [], retryAfterSeconds, requestId }: ErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/** Reads an error response of the service, or of a proxy that sends another format. */
export function errorFromResponse({ status, headers }: Response, text: string): SponsorgateError {
  const body = parseObject(text);
  const isFromService = typeof body?.code === 'string' && typeof body.message === 'string';
  return new SponsorgateError({
    status,
    code: isFromService ? String(body.code) : 'unexpected_answer',
    message: isFromService ? String(body.message) : `The answer was HTTP ${status} without a reason.`,
    detail: typeof body?.detail === 'string' ? body.detail : undefined,
    fields: Array.isArray(body?.errors) ? body.errors.filter(isFieldError) : [],
    retryAfterSeconds: parseRetryAfter(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isFieldError(value: unknown): value is FieldError {
  const candidate = value as Partial<FieldError> | null;
  return typeof candidate?.field === 'string' && typeof candidate.message === 'string';
}

/** Reads seconds, or a date, which some proxies send. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
