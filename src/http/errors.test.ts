import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance, FastifyPluginAsync, InjectOptions } from 'fastify';
import pino from 'pino';
import { ApiError } from '../core/errors.ts';
import { toApiError } from './errors.ts';
import { createMemoryRateLimiter } from './rate-limit.ts';
import { buildServer } from './server.ts';

const SECRET = 'at_secret-token-in-the-query';
const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

const body = {
  type: 'object',
  required: ['user_id'],
  properties: {
    user_id: { type: 'integer', minimum: 1 },
    title: { type: 'string', maxLength: 3, pattern: '^[a-z]*$' },
    ids: { type: 'array', items: { type: 'integer' } },
    place: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
};
const querystring = { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^[0-9]+$' } } };

const routes: FastifyPluginAsync = async (app) => {
  app.post('/strict', { schema: { body } }, async () => ({ status: 'ok' }));
  app.post('/loose', async (request) => ({ got: request.body ?? null }));
  app.get('/query', { schema: { querystring } }, async () => ({ status: 'ok' }));
  app.get('/things/:id', async () => ({ status: 'ok' }));
  app.get('/fault', async () => {
    throw new Error('the password is 12345');
  });
  app.get('/refusal', async () => {
    throw new ApiError('order_not_found', 'There is no order 5.', { cause: new Error('private') });
  });
  app.get('/text', () => Promise.reject('not even an error'));
};

let app: FastifyInstance;
const logged: string[] = [];

before(async () => {
  const policy = { name: 'any', perSecond: 1_000_000, burst: 1_000_000 };
  app = buildServer({
    log: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
    gate: {
      tokens: {
        cached: () => undefined,
        find: async () => undefined,
      },
      limiter: createMemoryRateLimiter(),
      perToken: policy,
      perAddress: policy,
    },
    tokenRoutes: [async (scope) => void scope.post('/guarded', async () => ({}))],
    queryTokenRoutes: [async (scope) => void scope.get('/guarded-by-query', async () => ({}))],
    publicRoutes: [routes],
    unguardedRoutes: [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => app.close());

const json = { 'content-type': 'application/json' };
const post = (url: string, payload: string, headers: Record<string, string> = json): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers,
});

describe('every refusal has the form of the API specification', () => {
  const cases: readonly [string, InjectOptions, number, string, string][] = [
    ['JSON that cannot be read', post('/strict', '{"user_id":'), 400, 'Bad Request', 'malformed_request'],
    ['text that is not JSON', post('/strict', 'hello'), 400, 'Bad Request', 'malformed_request'],
    [
      'a body that is not JSON',
      post('/strict', '<a/>', { 'content-type': 'text/xml' }),
      400,
      'Bad Request',
      'unsupported_content_type',
    ],
    [
      'a form',
      post('/strict', 'user_id=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      400,
      'Bad Request',
      'unsupported_content_type',
    ],
    [
      'plain text',
      post('/strict', '{"user_id":1}', { 'content-type': 'text/plain' }),
      400,
      'Bad Request',
      'unsupported_content_type',
    ],
    [
      'a nonsensical content type',
      post('/strict', '{}', { 'content-type': 'nonsense' }),
      400,
      'Bad Request',
      'unsupported_content_type',
    ],
    ['more than 64 KiB', post('/loose', JSON.stringify('x'.repeat(65_536))), 400, 'Bad Request', 'body_too_large'],
    ['a path that is not text', { url: '/things/%ff' }, 400, 'Bad Request', 'malformed_request'],
    ['an empty body where one is needed', post('/strict', ''), 422, 'Validation error', 'validation_failed'],
    ['an array where an object is needed', post('/strict', '[]'), 422, 'Validation error', 'validation_failed'],
    ['null where an object is needed', post('/strict', 'null'), 422, 'Validation error', 'validation_failed'],
    ['a wrong query', { url: '/query?id=x' }, 422, 'Validation error', 'validation_failed'],
    ['an unknown path', { url: '/nowhere' }, 404, 'Bot not found', 'route_not_found'],
    ['an unknown method', { method: 'DELETE', url: '/strict' }, 404, 'Bot not found', 'route_not_found'],
    ['a missing token', post('/guarded', '{}'), 401, 'Invalid or inactive Bot API Key', 'invalid_token'],
    [
      'a missing token in the query',
      { url: '/guarded-by-query' },
      401,
      'Invalid or inactive Bot API Key',
      'invalid_token',
    ],
    ['a refusal of ours', { url: '/refusal' }, 404, 'Bot not found', 'order_not_found'],
    ['a fault of ours', { url: '/fault' }, 500, 'Internal Server Error', 'internal_error'],
    ['something thrown that is no error', { url: '/text' }, 500, 'Internal Server Error', 'internal_error'],
  ];
  for (const [what, request, status, detail, code] of cases) {
    test(`${what} is ${status} ${code}`, async () => {
      const answer = await app.inject(request);
      assert.equal(answer.statusCode, status, answer.body);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      const { message, ...rest } = answer.json();
      assert.deepEqual({ detail: rest.detail, code: rest.code }, { detail, code });
      assert.ok(typeof message === 'string' && message.length > 0);
    });
  }

  test('bytes that are not HTTP are 400 malformed_request', async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('hello?\r\n\r\n');
    const [head = '', payload = ''] = (await text(socket)).split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 400 .*Content-Type: application\/json/s);
    assert.deepEqual([JSON.parse(payload).detail, JSON.parse(payload).code], ['Bad Request', 'malformed_request']);
  });
});

describe('the server accepts', () => {
  for (const [what, request] of [
    ['a body at the limit', post('/loose', JSON.stringify('x'.repeat(65_534)))],
    ['an empty JSON body where none is needed', post('/loose', '')],
    ['no body and no content type', post('/loose', '', {})],
    ['unknown fields', post('/strict', '{"user_id":1,"extra":{"deep":[]}}')],
    [
      'a charset in the content type',
      post('/strict', '{"user_id":1}', { 'content-type': 'application/json; charset=utf-8' }),
    ],
  ] as const) {
    test(what, async () => assert.equal((await app.inject(request)).statusCode, 200));
  }
});

describe('a refused field', () => {
  const fieldsOf = async (payload: object) => {
    const { errors } = (await app.inject(post('/strict', JSON.stringify(payload)))).json();
    return (errors as { field: string; message: string }[]).map(({ field }) => field).sort();
  };

  test('is named with its path, together with all other refused fields', async () => {
    assert.deepEqual(await fieldsOf({}), ['user_id']);
    assert.deepEqual(await fieldsOf({ user_id: '1' }), ['user_id']);
    assert.deepEqual(await fieldsOf({ user_id: 0, ids: [1, 'x'], place: {} }), ['ids.1', 'place.city', 'user_id']);
  });

  test('is also named when it is in the query; a body of the wrong type is named "body"', async () => {
    assert.deepEqual((await app.inject('/query')).json().errors[0].field, 'id');
    assert.deepEqual((await app.inject(post('/strict', '[]'))).json().errors[0].field, 'body');
  });

  test('a response lists at most 20 refused fields', async () => {
    const { errors } = (await app.inject(post('/strict', JSON.stringify({ ids: Array(5000).fill('x') })))).json();
    assert.ok(errors.length <= 20 && errors.length > 0, String(errors.length));
  });
});

describe('private details', () => {
  test('an internal error appears in the log with its stack but not in the response', async () => {
    logged.length = 0;
    const answer = await app.inject('/fault');
    assert.ok(!answer.body.includes('12345'));
    assert.ok(logged.some((line) => line.includes('the password is 12345') && line.includes('"stack"')));
    assert.ok(!(await app.inject('/refusal')).body.includes('private'));
  });

  test('the query of a request, which may contain a token, is never logged', async () => {
    logged.length = 0;
    for (const path of ['/query', '/nowhere', '/fault', '/guarded-by-query']) {
      await app.inject(`${path}?id=1&api_token=${SECRET}`);
    }
    assert.ok(logged.length > 0);
    assert.ok(!logged.join('').includes(SECRET));
  });

  test('foreign errors with a code or a status of 5xx are internal errors', () => {
    assert.equal(toApiError(Object.assign(new Error('x'), { statusCode: 502 })).code, 'internal_error');
    assert.equal(toApiError(Object.assign(new Error('x'), { code: '23505' })).code, 'internal_error');
    assert.equal(toApiError(undefined).code, 'internal_error');
    const refusal = new ApiError('conflict', 'taken');
    assert.equal(toApiError(refusal), refusal);
  });
});

test('the server uses no deprecated option of the framework', () => {
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [],
  );
});
