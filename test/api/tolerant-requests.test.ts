import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { adjustBot } from '../../src/modules/bots/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
type Body = Readonly<Record<string, unknown>>;

interface Pair {
  readonly field: string;
  readonly withNull: Body;
  readonly without: Body;
}

/** Returns a body with one null and one without that field, for every optional field of the schema. */
function* nullBodies(schema: Schema, resolve: (schema: Schema) => Schema): Iterable<Pair> {
  const { properties = {}, required = [] } = resolve(schema);
  for (const [name, property] of Object.entries(properties)) {
    const { items, ...field } = resolve(property);
    if (!required.includes(name)) yield { field: name, withNull: { [name]: null }, without: {} };
    for (const inner of nullBodies(field, resolve)) {
      const [withNull, without] = [{ [name]: inner.withNull }, { [name]: inner.without }];
      yield { field: `${name}.${inner.field}`, withNull, without };
    }
    for (const inner of items === undefined ? [] : nullBodies(items, resolve)) {
      const [withNull, without] = [{ [name]: [inner.withNull] }, { [name]: [inner.without] }];
      yield { field: `${name}.0.${inner.field}`, withNull, without };
    }
  }
}

test('null is the same as absent in every optional field of every operation, nested ones included', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true });
  const { body: document } = await sandbox.call('GET', '/openapi.json');
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const fields: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      for (const { field, withNull, without } of nullBodies(schema, resolve)) {
        const call = async (body: Body) => {
          const url = path.replaceAll(/\{\w+\}/g, '1');
          const answer = await sandbox.call(method.toUpperCase(), url, body, { auth: token });
          assert.notEqual(answer.status, 500, `${method} ${path} ${field}`);
          return answer.body.errors;
        };
        assert.deepEqual(await call(withNull), await call(without), `${method} ${path} ${field}`);
        fields.push(`${path} ${field}`);
      }
    }
  }
  for (const expected of [
    '/api/v1/get-sponsors chat_id',
    '/api/v1/orders hold_hours',
    '/api/v1/links geo.0.countries',
    '/api/v1/links/{id} name',
    '/api/v1/token/rotate grace_hours',
    '/api/v1/webhooks/{id}/replay since',
    '/api/v1/user-subscriptions links',
  ])
    assert.ok(fields.includes(expected), `${expected} is not among ${fields}`);
});

test('requests with nulls have the effect of requests without these fields', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, max_sponsors: 2 });
  for (let i = 0; i < 3; i++) await sandbox.advertise();
  const nulls = { chat_id: null, first_name: null, username: null, max_sponsors: null, action: null };
  assert.equal((await sandbox.getSponsors(token, freshUser(), nulls)).length, 2);

  const call = (method: string, path: string, body: unknown) => sandbox.call(method, path, body, { auth: token });
  const link = {
    url: 'https://example.com/',
    name: 'Mine',
    geo: [{ url: 'https://example.com/a', countries: ['RU'] }],
  };
  const created = await call('POST', '/api/v1/links', { ...link, geo: [{ ...link.geo[0], cities: null, os: null }] });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const changed = await call('PATCH', `/api/v1/links/${created.body.link_id}`, { name: null, geo: null, url: null });
  assert.deepEqual([changed.status, changed.body.name, changed.body.geo], [200, 'Mine', created.body.geo]);
});

test('a required field and an item of a list do not take null', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  assert.equal((await sandbox.api(token, 'get-sponsors', { user_id: null })).status, 422);
  assert.equal((await sandbox.api(token, 'confirm-subscriptions', { user_id: 1, ads_ids: [null] })).status, 422);
});

test('more than 50 max_sponsors count as 50, less than 1 and other types are refused', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  await sandbox.advertise();
  for (const max_sponsors of [50, 51, 1_000_000, 9_007_199_254_740_991]) {
    assert.equal((await sandbox.getSponsors(token, freshUser(), { max_sponsors })).length, 1);
  }
  const rows = await service.database.db.query<{ requested: number }>('SELECT requested FROM task_lists');
  assert.ok(rows.every(({ requested }) => requested <= 50));
  for (const max_sponsors of [0, -1, 50.5, '50', true, [5]]) {
    assert.equal(
      (await sandbox.api(token, 'get-sponsors', { user_id: 1, max_sponsors })).status,
      422,
      `${max_sponsors}`,
    );
  }
});

test('trailing and doubled slashes reach the same endpoint, with and without a query', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const path of ['/api/v1/get-balance/', '//api/v1/get-balance', '/api//v1///get-balance//']) {
    const answer = await sandbox.call('POST', path, {}, { auth: token });
    assert.equal(answer.status, 200, path);
  }
  assert.equal((await sandbox.call('GET', '/api/v1/health/?a=//')).status, 200);
  assert.equal((await sandbox.call('GET', `/statistic/?api_token=${token}`)).status, 200);
  assert.equal((await sandbox.call('GET', '/api/v1/unknown/')).status, 404);
});

test('a wrong method is 405 and names the right ones in Allow', async () => {
  const { sandbox } = service;
  for (const [method, path, allow] of [
    ['GET', '/api/v1/get-sponsors', 'POST'],
    ['DELETE', '/api/v1/confirm-subscription/', 'POST'],
    ['POST', '/statistic', 'GET, HEAD'],
    ['PUT', '/api/v1/links/1', 'DELETE, GET, HEAD, PATCH'],
  ] as const) {
    const { status, headers, body } = await sandbox.call(method, path);
    assert.deepEqual([status, headers.get('allow')], [405, allow], `${method} ${path}`);
    assert.deepEqual([body.detail, body.code], ['Method Not Allowed', 'method_not_allowed']);
  }
});

const send = async (token: string, body: Uint8Array<ArrayBuffer>, encoding: string) => {
  const response = await fetch(`${service.url}/api/v1/get-sponsors`, {
    method: 'POST',
    headers: { auth: token, 'content-type': 'application/json', 'content-encoding': encoding },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as { code?: string } };
};

test('a gzip body is read; a body that unpacks to more than 64 KiB, is damaged or has another encoding is refused', async () => {
  const { token } = await service.sandbox.publisher();
  const json = JSON.stringify({ user_id: freshUser() });
  const zip = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text));
  for (const encoding of ['gzip', 'x-gzip', 'GZIP']) assert.equal((await send(token, zip(json), encoding)).status, 200);

  const bomb = zip(`{"user_id": 1, "first_name": "${'x'.repeat(30_000_000)}"}`);
  assert.ok(bomb.length < 64 * 1024);
  const tooLarge = await send(token, bomb, 'gzip');
  assert.deepEqual([tooLarge.status, tooLarge.body.code], [400, 'body_too_large']);

  const damaged = await send(token, new Uint8Array(Buffer.from('this is not gzip')), 'gzip');
  assert.deepEqual([damaged.status, damaged.body.code], [400, 'malformed_request']);
  const cut = await send(token, zip(json.padEnd(5_000)).slice(0, 20), 'gzip');
  assert.deepEqual([cut.status, cut.body.code], [400, 'malformed_request']);

  for (const [bytes, encoding] of [
    [new Uint8Array(brotliCompressSync(json)), 'br'],
    [zip(json), 'gzip, gzip'],
  ] as const) {
    const { status, headers, body } = await send(token, bytes, encoding);
    assert.deepEqual([status, body.code, headers.get('accept-encoding')], [415, 'unsupported_encoding', 'gzip']);
  }
});

test('an unknown task is 404, or a warning when the bot is set so', async () => {
  const { sandbox, database } = service;
  const { token, botId, accountId } = await sandbox.publisher();
  const confirm = () => sandbox.api(token, 'confirm-subscription', { user_id: 1, ads_id: 987_654_321 });
  const { status, body } = await confirm();
  assert.deepEqual([status, body.detail, body.code], [404, 'Bot not found', 'order_not_found']);

  const adjustment = { kind: 'warns_of_unknown_orders', value: true } as const;
  assert.equal((await adjustBot(database.db, { botId, accountId, adjustment })).warnsOfUnknownOrders, true);
  await eventually('the setting reaches the service', async () => (await confirm()).status === 200);
  assert.deepEqual((await confirm()).body, {
    status: 'warning',
    subscribed: false,
    message: 'Order not found',
    code: 'order_not_found',
    grant_access: false,
    credit_status: 'none',
  });
});

test('every task has the reward that its confirm credits', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 12.34 });
  const user = freshUser();
  for (let call = 0; call < 3; call++) {
    const [task] = await sandbox.getSponsors(token, user);
    assert.equal(task?.reward, 8.63);
  }
  assert.equal((await sandbox.subscribe(token, order, user)).credited, 8.63);
});

test('a request without a body may have the content type of binary data, as aiohttp sends it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const send = async (body: string): Promise<number> => {
    const headers = { auth: token, 'content-type': 'application/octet-stream' };
    const url = `${service.url}/api/v1/get-balance`;
    return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) })).status;
  };
  assert.equal(await send(''), 200);
  assert.equal(await send('{}'), 400);
});
