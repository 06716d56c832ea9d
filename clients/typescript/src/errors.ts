import type { ErrorCode } from './generated/api.ts';

/** What went wrong before there was an answer of the service to read. */
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
}

/**
 * Every failed call ends in one of these, except those that the caller's own signal ended. It never holds the token, nor
 * anything of the request, so it can be logged as it is.
 */
export class SponsorgateError extends Error {
  override readonly name = 'SponsorgateError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The reason, for programs. Newer services may know more reasons than this client. */
  readonly code: ErrorCode | TransportCode | (string & {});
  /** One fixed text per status, as the service sends it. */
  readonly detail: string | undefined;
  /** Which fields were refused, on 422. */
  readonly fields: readonly FieldError[];
  /** How long the service asks to wait, on 429. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, detail, fields = [], retryAfterSeconds }: ErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads an error answer, whoever sent it: the service, or a proxy that knows nothing of its shape. */
export function errorFromAnswer(status: number, text: string, retryAfter: string | null): SponsorgateError {
  const body = parseObject(text);
  const known = typeof body?.code === 'string' && typeof body.message === 'string';
  return new SponsorgateError({
    status,
    code: known ? String(body.code) : 'unexpected_answer',
    message: known ? String(body.message) : `The answer was HTTP ${status} without a reason.`,
    detail: typeof body?.detail === 'string' ? body.detail : undefined,
    fields: Array.isArray(body?.errors) ? body.errors.filter(isFieldError) : [],
    retryAfterSeconds: parseRetryAfter(retryAfter),
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

/** Seconds, or a date as proxies like to send it. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
