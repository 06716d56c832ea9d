import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createClient, SponsorgateError } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { answer, hang, type Respond, startReceiver } from '../support/receiver.ts';

const service = useService();
const TOKEN = 'at_a-token-that-nobody-may-see';

async function failureOf(call: Promise<unknown>): Promise<SponsorgateError> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SponsorgateError, inspect(error));
  return error;
}

/** Runs `work` with a client of a server that responds with `respond`. `work` also gets the requests of that server. */
async function withServer<T>(
  respond: Respond,
  work: (client: ReturnType<typeof createClient>, received: Awaited<ReturnType<typeof startReceiver>>) => Promise<T>,
): Promise<T> {
  const server = await startReceiver(respond);
  try {
    const baseUrl = `http://127.0.0.1:${server.port}`;
    return await work(createClient({ baseUrl, token: TOKEN, retries: 0, timeoutMs: 20_000 }), server);
  } finally {
    await server.close();
  }
}

test('an error response becomes an error with its status, code, detail, message and fields', async () => {
  const { sandbox } = service;
  const stranger = createClient({ baseUrl: service.url, token: TOKEN });
  const refused = await failureOf(stranger.getBalance());
  assert.deepEqual(
    [refused.status, refused.code, refused.detail, refused.fields],
    [401, 'invalid_token', 'Invalid or inactive Bot API Key', []],
  );
  assert.notEqual(refused.message, '');

  const client = createClient({ baseUrl: `${service.url}/`, token: (await sandbox.publisher()).token });
  const invalid = await failureOf(client.getSponsors({ user_id: 1, max_sponsors: 0 }));
  assert.deepEqual([invalid.status, invalid.code], [422, 'validation_failed']);
  assert.deepEqual(
    invalid.fields.map((problem) => problem.field),
    ['max_sponsors'],
  );
  const missing = await failureOf(client.confirmSubscription({ user_id: 1, ads_id: 987_654_321 }));
  assert.deepEqual([missing.status, missing.code], [404, 'order_not_found']);
});

test('when the service asks for a longer wait than a call may take, the error contains the wait', () =>
  withServer(
    (response) => void response.writeHead(429, { 'Retry-After': '3600' }).end('{}'),
    async (client, server) => {
      const error = await failureOf(client.health({ retries: 5 }));
      assert.deepEqual([error.status, error.retryAfterSeconds, server.received.length], [429, 3600, 1]);
    },
  ));

test('a service that never responds causes a timeout, and a closed connection a network error', async () => {
  await withServer(hang, async (client) => {
    const error = await failureOf(client.health({ timeoutMs: 50 }));
    assert.deepEqual([error.status, error.code], [0, 'timeout']);
  });
  await withServer(
    (response) => void response.socket?.destroy(),
    async (client) => {
      const error = await failureOf(client.health());
      assert.deepEqual([error.status, error.code], [0, 'network_error']);
    },
  );
});

test('a response that stops in the middle fails at the same timeout', () =>
  withServer(
    (response) => void response.writeHead(200, { 'Content-Length': '100' }).write('{"status"'),
    async (client) => assert.equal((await failureOf(client.health({ timeoutMs: 100 }))).code, 'timeout'),
  ));

test('a response from another server is reported as such, for every status', async () => {
  for (const [status, body] of [
    [200, '<html>Sign in to this Wi-Fi</html>'],
    [502, '<html>Bad gateway</html>'],
    [418, '{"something":"else"}'],
    [404, 'null'],
  ] as const) {
    await withServer(answer(status, body), async (client) => {
      const error = await failureOf(client.health());
      assert.deepEqual([error.status, error.code], [status, 'unexpected_answer']);
    });
  }
});

test('a redirect is not followed, so the token goes to no other server', () =>
  withServer(answer(200, '{"status":"ok"}'), (_, elsewhere) =>
    withServer(
      (response) => void response.writeHead(307, { Location: elsewhere.url }).end(),
      async (client) => {
        assert.equal((await failureOf(client.getBalance())).status, 307);
        assert.equal(elsewhere.received.length, 0);
      },
    ),
  ));

test("the caller's signal ends a running call and a wait between attempts, with the signal's reason", async () => {
  const reason = new Error('the user went away');
  await withServer(hang, async (client, server) => {
    const ending = new AbortController();
    const call = client.health({ signal: ending.signal });
    await eventually('the request arrives', () => server.received.length === 1);
    ending.abort(reason);
    await assert.rejects(call, reason);
    await assert.rejects(client.health({ signal: ending.signal }), reason, 'ended before it began');
    assert.equal(server.received.length, 1);
  });
  await withServer(
    (response) => void response.writeHead(429, { 'Retry-After': '30' }).end('{}'),
    async (client, server) => {
      const ending = new AbortController();
      const call = client.health({ signal: ending.signal, retries: 1 });
      await eventually('the request arrives', () => server.received.length === 1);
      ending.abort(reason);
      await assert.rejects(call, reason);
    },
  );
});

test('no error contains the token, not even when the token is part of the address', async () => {
  const dead = await startReceiver();
  await dead.close();
  const gone = createClient({ baseUrl: `http://127.0.0.1:${dead.port}`, token: TOKEN, retries: 0 });
  const failing: typeof fetch = (input) =>
    Promise.reject(new TypeError(`cannot fetch ${input instanceof Request ? input.url : input}`));
  const quoting = createClient({ baseUrl: service.url, token: TOKEN, retries: 0, fetch: failing });
  const stranger = createClient({ baseUrl: service.url, token: TOKEN });
  for (const client of [gone, quoting, stranger]) {
    for (const call of [client.statistic.allBots(), client.getBalance()]) {
      const error = await failureOf(call);
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(TOKEN), error.message);
      assert.ok(!JSON.stringify({ ...error, message: error.message, stack: error.stack }).includes(TOKEN));
    }
  }
});

test('invalid settings are rejected at once, without quoting the token', () => {
  const message = (options: { baseUrl: string; token: string }): string => {
    try {
      createClient(options);
    } catch (error) {
      assert.ok(error instanceof TypeError);
      return error.message;
    }
    return assert.fail(`accepted ${JSON.stringify(options)}`);
  };
  for (const token of ['', 'at_with space', 'at_line\nbreak']) {
    const text = message({ baseUrl: service.url, token });
    assert.match(text, /token/);
    assert.ok(token === '' || !text.includes(token));
  }
  for (const baseUrl of ['', 'example.com', 'ftp://example.com', 'https://example.com/?a=1']) {
    assert.match(message({ baseUrl, token: TOKEN }), /baseUrl/);
  }
});
