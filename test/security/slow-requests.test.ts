import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { buildServer } from '../../src/http/index.ts';
import { createMemoryRateLimiter } from '../../src/http/rate-limit.ts';
import { createTokenCache } from '../../src/modules/bots/index.ts';
import { useService } from '../api/use-service.ts';

const service = useService();
const SLOW = 300;

/** Opens connections with incomplete requests: half of them lack the end of the headers, half the rest of the body. */
async function dawdle(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(service.url);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const length =
        index % 2 === 0 ? '' : 'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"user_id":';
      socket.write(`POST /api/v1/get-sponsors HTTP/1.1\r\nHost: a\r\nX-Slow: ${index}\r\n${length}`);
      return socket;
    }),
  );
}

test('hundreds of callers that never finish their request delay no other caller', async (t) => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const slow = await dawdle(SLOW);
  t.after(() => {
    for (const socket of slow) socket.destroy();
  });
  for (let call = 0; call < 20; call++) {
    assert.equal((await sandbox.call('GET', '/api/v1/health')).body.status, 'ok');
    assert.equal((await sandbox.api(token, 'get-balance', {})).status, 200);
  }
});

test('the server limits the time for a request to 30 seconds and limits the time for its headers', () => {
  const { db } = service.database;
  const unlimited = { perSecond: 1_000, burst: 1_000 };
  const app = buildServer({
    log: pino({ level: 'silent' }),
    gate: {
      tokens: createTokenCache(db),
      limiter: createMemoryRateLimiter(),
      perToken: { name: 'token', ...unlimited },
      perAddress: { name: 'address', ...unlimited },
    },
    publicRoutes: [],
    tokenRoutes: [],
    queryTokenRoutes: [],
    unguardedRoutes: [],
  });
  const { requestTimeout, headersTimeout, maxHeadersCount } = app.server as {
    requestTimeout: number;
    headersTimeout: number;
    maxHeadersCount: number | null;
  };
  assert.equal(requestTimeout, 30_000);
  assert.ok(headersTimeout > 0 && headersTimeout <= 60_000, String(headersTimeout));
  assert.ok(maxHeadersCount === null || maxHeadersCount > 0);
  assert.equal(app.initialConfig.bodyLimit, 64 * 1024);
});

test('headers of more than 16 KB are refused, whether one is long or many are short', async () => {
  for (const headers of [
    { 'x-long': 'x'.repeat(20_000) },
    Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'y'.repeat(20)])),
  ]) {
    const answer = await fetch(`${service.url}/api/v1/health`, { headers });
    assert.ok(answer.status === 400 || answer.status === 431, String(answer.status));
    await answer.text();
  }
  assert.equal((await service.sandbox.call('GET', '/api/v1/health')).status, 200);
});
