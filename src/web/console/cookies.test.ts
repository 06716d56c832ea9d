import assert from 'node:assert/strict';
import { test } from 'node:test';
import cookies from '@fastify/cookie';
import { fastify } from 'fastify';
import { createCookieJar } from './cookies.ts';

/** Sends a request through a server that uses the jar, and returns the tokens it read and the cookie it wrote. */
async function exchange(isHttps: boolean, { sent = '', kind = 'browser' as 'browser' | 'app' } = {}) {
  const app = fastify();
  const jar = createCookieJar(() => isHttps);
  await app.register(cookies);
  app.get('/', async (request, reply) => {
    jar.keep(reply, kind, 'TOKEN', 60.9);
    return jar.read(request);
  });
  const response = await app.inject({ url: '/', headers: { cookie: sent } });
  return { read: response.json() as unknown, written: response.headers['set-cookie'] };
}

test('over https the cookies are bound to the host, and only the Mini App’s works in a frame of Telegram', async () => {
  assert.equal(
    (await exchange(true)).written,
    '__Host-console=TOKEN; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  assert.equal(
    (await exchange(true, { kind: 'app' })).written,
    '__Host-console-app=TOKEN; Max-Age=60; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
  );
  assert.equal(
    (await exchange(false, { kind: 'app' })).written,
    'console-app=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
  );
});

test('over https a cookie that plain http could have set is not read', async () => {
  const sent = 'console=plain; __Host-console=bound; other=x; __Host-console-app=app; __Host-console=second; =; ;';
  assert.deepEqual((await exchange(true, { sent })).read, [
    { kind: 'browser', token: 'bound' },
    { kind: 'app', token: 'app' },
  ]);
  assert.deepEqual((await exchange(false, { sent })).read, [{ kind: 'browser', token: 'plain' }]);
  assert.deepEqual((await exchange(true)).read, []);
});
