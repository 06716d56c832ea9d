import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { ERROR_TABLE, type ErrorRow, errorBody } from './errors.ts';

/** The exact texts of section 7 of the API specification. */
const CONTRACT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Invalid or inactive Bot API Key',
  404: 'Bot not found',
  422: 'Validation error',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** The only other statuses, added by decisions 0029 (beta endpoints), 0047 (database), 0075 (host names) and 0090 (tolerant). */
const BESIDE: Readonly<Record<string, ErrorRow>> = {
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  unsupported_encoding: { status: 415, detail: 'Unsupported Media Type' },
  request_in_flight: { status: 409, detail: 'Conflict' },
  wrong_host: { status: 421, detail: 'Misdirected Request' },
  telegram_unavailable: { status: 503, detail: 'Service Unavailable' },
  database_unavailable: { status: 503, detail: 'Service Unavailable', retryAfterSeconds: 1 },
};

const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

test('every reason has a status and detail of the specification, except six that decisions add', () => {
  for (const code of CODES) {
    const row = ERROR_TABLE[code];
    assert.deepEqual(row, BESIDE[code] ?? { status: row.status, detail: CONTRACT[row.status] }, code);
  }
  const used = new Set(CODES.map((code) => String(ERROR_TABLE[code].status)));
  for (const status of Object.keys(CONTRACT)) assert.ok(used.has(status), status);
});

test('main reasons have their decided status, and only *_not_found reasons are 404', () => {
  const expected: Partial<Record<ErrorCode, number>> = {
    malformed_request: 400,
    unsupported_content_type: 400,
    invalid_token: 401,
    validation_failed: 422,
    too_many_requests: 429,
    internal_error: 500,
  };
  for (const [code, status] of Object.entries(expected)) assert.equal(ERROR_TABLE[code as ErrorCode].status, status);
  for (const code of CODES) assert.equal(ERROR_TABLE[code].status === 404, code.endsWith('_not_found'), code);
});

test('an error body has detail, code and message, and has errors only when fields are given', () => {
  for (const code of CODES) {
    const body = errorBody(new ApiError(code, 'What to do.', { cause: new Error('private') }));
    assert.deepEqual(body, { detail: ERROR_TABLE[code].detail, code, message: 'What to do.' });
  }
  const fields = [{ field: 'user_id', message: 'is missing' }];
  assert.deepEqual(errorBody(new ApiError('validation_failed', 'Check it.', { fields })).errors, fields);
});
