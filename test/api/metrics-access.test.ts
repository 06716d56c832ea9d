import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startOn } from '../support/service.ts';

const TOKEN = 'metrics-token-of-this-test';

let database: TestDatabase | undefined;
let running: Awaited<ReturnType<typeof startOn>> | undefined;
afterEach(async () => {
  await running?.stop();
  await database?.drop();
});

/** Starts a service with these settings. Returns a function that requests its metrics from this machine. */
async function withService(settings: Record<string, string>) {
  database = await createTestDatabase();
  running = await startOn(database.url, settings);
  const { sandbox } = running;
  return (headers: Record<string, string> = {}) => sandbox.call('GET', '/metrics', undefined, headers);
}

test('without a token this machine may read the metrics in every role, and requests through a proxy get 404', async () => {
  const ask = await withService({ ROLES: 'worker' });
  assert.equal((await ask()).status, 200);
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=10.0.0.1' },
    { 'x-real-ip': '10.0.0.1' },
    { via: '1.1 proxy' },
  ]) {
    const { status, body } = await ask(headers);
    assert.deepEqual([status, body.code], [404, 'route_not_found'], JSON.stringify(headers));
  }
});

test('behind a trusted proxy only callers from a private network may read the metrics', async () => {
  const ask = await withService({ TRUSTED_PROXIES: '127.0.0.1' });
  assert.equal((await ask({ 'x-forwarded-for': '10.1.2.3' })).status, 200);
  assert.equal((await ask({ 'x-forwarded-for': '203.0.113.9' })).status, 404);
  assert.equal((await ask({ 'x-forwarded-for': '10.1.2.3, 203.0.113.9' })).status, 404, 'the first part is hearsay');
});

test('with a configured token only callers that send it may read the metrics, from any address', async () => {
  const ask = await withService({ METRICS_TOKEN: TOKEN, ROLES: 'bot' });
  assert.equal((await ask({ authorization: `Bearer ${TOKEN}` })).status, 200);
  assert.equal((await ask({ authorization: `bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' })).status, 200);
  const wrong = [undefined, TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, 'Bearer '];
  for (const authorization of wrong) {
    const { status, body, headers } = await ask(authorization === undefined ? {} : { authorization });
    assert.deepEqual(
      [status, body.code, headers.get('www-authenticate')],
      [401, 'invalid_token', 'Bearer'],
      authorization,
    );
    assert.ok(!JSON.stringify(body).includes(TOKEN));
  }
});

test('guesses of the metrics token are rate limited', async () => {
  const ask = await withService({
    METRICS_TOKEN: TOKEN,
    ADDRESS_RATE_LIMIT_PER_SECOND: '1',
    ADDRESS_RATE_LIMIT_BURST: '5',
  });
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) statuses.push((await ask({ authorization: `Bearer guess-${i}` })).status);
  assert.ok(statuses.includes(429), statuses.join(' '));
});
