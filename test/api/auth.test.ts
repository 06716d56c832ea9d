import assert from 'node:assert/strict';
import { test } from 'node:test';
import { switchBot } from '../../src/modules/bots/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

const NO_TOKEN = {
  detail: 'Invalid or inactive Bot API Key',
  code: 'invalid_token',
  message: 'Send the API token of your bot in the Auth header (in api_token for /statistic).',
};
const WRONG_TOKEN = {
  detail: 'Invalid or inactive Bot API Key',
  code: 'invalid_token',
  message: 'This API token is unknown or disabled. Get one in the management bot: My bots, the bot, API token.',
};

/** Every route that needs a token, with a request that is otherwise valid. */
const GUARDED: readonly (readonly [name: string, call: (token?: string) => Promise<Response>])[] = [
  ['get-sponsors', (token) => post('get-sponsors', { user_id: 1 }, token)],
  ['confirm-subscription', (token) => post('confirm-subscription', { user_id: 1, ads_id: 1 }, token)],
  ['confirm-subscriptions', (token) => post('confirm-subscriptions', { user_id: 1, ads_ids: [1] }, token)],
  ['get-balance', (token) => post('get-balance', {}, token)],
  [
    'statistic',
    (token) => fetch(`${service.url}/statistic${token === undefined ? '' : `?api_token=${encodeURIComponent(token)}`}`),
  ],
];

function post(path: string, body: unknown, token?: string): Promise<Response> {
  return fetch(`${service.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { auth: token }) },
    body: JSON.stringify(body),
  });
}

async function assert401(response: Response, body: object): Promise<void> {
  assert.equal(response.status, 401);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(await response.json(), body);
}

for (const [name, call] of GUARDED) {
  test(`${name} returns 401 without a token`, async () => {
    await assert401(await call(), NO_TOKEN);
  });

  test(`${name} returns 401 for a wrong token of any format`, async () => {
    const { token } = await service.sandbox.publisher();
    const wrong = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${token}x`,
      token.toUpperCase(),
      token.slice(3),
      'at_',
      'at_x',
      `at_${'x'.repeat(4000)}`,
      'nonsense',
      "at_' OR 1=1 --",
      `Bearer ${token}`,
    ];
    for (const candidate of wrong) await assert401(await call(candidate), WRONG_TOKEN);
  });

  test(`${name} returns 401 for the token of a disabled bot until the bot is enabled again`, async () => {
    const { sandbox, database } = service;
    const { token, botId } = await sandbox.publisher();
    assert.notEqual((await call(token)).status, 401);
    await database.db.transaction((tx) => switchBot(tx, botId, false));
    await eventually('the token is refused', async () => (await call(token)).status === 401);
    await assert401(await call(token), WRONG_TOKEN);
    await database.db.transaction((tx) => switchBot(tx, botId, true));
    await eventually('the token works again', async () => (await call(token)).status !== 401);
  });
}

test('a token in the header and a token in the query are not interchangeable', async () => {
  const { token } = await service.sandbox.publisher();
  await assert401(await fetch(`${service.url}/statistic`, { headers: { auth: token } }), NO_TOKEN);
  const inQuery = await fetch(`${service.url}/api/v1/get-balance?api_token=${token}`, { method: 'POST' });
  await assert401(inQuery, NO_TOKEN);
  await assert401(await fetch(`${service.url}/statistic?api_token=${token}&api_token=${token}`), NO_TOKEN);
});

test('the name of the header is case-insensitive', async () => {
  const { token } = await service.sandbox.publisher();
  for (const name of ['Auth', 'auth', 'AUTH']) {
    const response = await fetch(`${service.url}/api/v1/get-balance`, { method: 'POST', headers: { [name]: token } });
    assert.equal(response.status, 200, name);
  }
});

test('the token is checked first, so an invalid body without a valid token returns 401', async () => {
  for (const body of ['{', '[]', '"x"', `"${'x'.repeat(100_000)}"`]) {
    const headers = { 'content-type': 'application/json', auth: 'at_wrong' };
    const response = await fetch(`${service.url}/api/v1/get-sponsors`, { method: 'POST', headers, body });
    assert.equal(response.status, 401);
  }
});

test('health needs no token and ignores a wrong one', async () => {
  for (const headers of [{}, { auth: 'at_wrong' }] as Record<string, string>[]) {
    const response = await fetch(`${service.url}/api/v1/health`, { headers });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(((await response.json()) as { status: string }).status, 'ok');
  }
});

test('an unknown path returns 404 in the common error format, with or without a token', async () => {
  const { token } = await service.sandbox.publisher();
  const calls: [string, string][] = [
    ['GET', '/'.padEnd(20, 'x')],
    ['GET', '/api/v1/unknown'],
    ['POST', '/api/v1/unknown'],
    ['GET', '/api/v2/health'],
    ['GET', '/API/V1/health'],
  ];
  for (const [method, path] of calls) {
    for (const headers of [{}, { auth: token }] as Record<string, string>[]) {
      const response = await fetch(`${service.url}${path}`, { method, headers });
      assert.equal(response.status, 404, `${method} ${path}`);
      const body = (await response.json()) as Record<string, unknown>;
      assert.equal(body.detail, 'Bot not found');
      assert.equal(body.code, 'route_not_found');
      assert.equal(typeof body.message, 'string');
    }
  }
});

test('the database stores only a hash of the token', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  const secret = token.slice('at_'.length);
  const rows = await database.db.query<Record<string, unknown>>('SELECT * FROM api_tokens WHERE bot_id = $1', [botId]);
  assert.equal(rows.length, 1);
  for (const value of Object.values(rows[0] ?? {})) {
    const forms = Buffer.isBuffer(value) ? [value.toString('latin1'), value.toString('hex')] : [String(value)];
    const hidden = [secret, Buffer.from(token).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')];
    for (const form of forms) for (const text of hidden) assert.ok(!form.includes(text));
  }
  const columns = await database.db.query<{ table_schema: string; table_name: string; column_name: string }>(
    `SELECT table_schema, table_name, column_name FROM information_schema.columns
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND data_type IN ('text', 'jsonb', 'json', 'ARRAY')`,
  );
  assert.ok(columns.length > 20, 'the search goes over the whole schema');
  for (const { table_schema, table_name, column_name } of columns) {
    const found = await database.db.query(
      `SELECT 1 FROM "${table_schema}"."${table_name}" WHERE "${column_name}"::text LIKE '%' || $1 || '%' LIMIT 1`,
      [secret.replaceAll('_', '\\_')],
    );
    assert.equal(found.length, 0, `${table_schema}.${table_name}.${column_name} holds the token`);
  }
});

test('no log line contains a token, for valid and for invalid requests', async () => {
  const { sandbox, url } = service;
  const { token } = await sandbox.publisher();
  const wrong = 'at_thisTokenIsWrongButMayBeOneLetterFromARightOne';
  for (const presented of [token, wrong]) {
    await sandbox.getSponsors(token, freshUser());
    await sandbox.statistic(presented, { action: 'bots', output_format: 'html' });
    await sandbox.statistic(presented, { action: 'nonsense' });
    await sandbox.api(presented, 'get-sponsors', { user_id: 'x' });
    await sandbox.api(presented, 'get-balance', {});
    await fetch(`${url}/statistic/unknown?api_token=${presented}`);
    await fetch(`${url}/statistic?api_token=${presented}&x=%zz`);
    await fetch(`${url}/%zz?api_token=${presented}`);
  }
  const lines = service.logs();
  assert.match(lines, /"answered"/, 'requests are logged at all');
  for (const presented of [token, wrong]) assert.ok(!lines.includes(presented.slice('at_'.length)));
});
