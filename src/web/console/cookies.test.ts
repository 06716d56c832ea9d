import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookieJar } from './cookies.ts';

/** What a jar writes, without a server around it. */
function written(isHttps: boolean, kind: 'browser' | 'app'): string {
  let cookie = '';
  const reply = { header: (_name: string, value: string) => (cookie = value) } as unknown as FastifyReply;
  createCookieJar(() => isHttps).keep(reply, kind, 'TOKEN', 60.9);
  return cookie;
}

const asking = (cookie: string | undefined) => ({ headers: { cookie } }) as unknown as FastifyRequest;

test('over https the cookies are bound to the host; the Mini App’s works in a frame of Telegram’s and nowhere else', () => {
  assert.equal(written(true, 'browser'), '__Host-console=TOKEN; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax');
  assert.equal(
    written(true, 'app'),
    '__Host-console-app=TOKEN; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
  );
  assert.equal(written(false, 'app'), 'console-app=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
});

test('only cookies of the right name are read: over https none that plain http could have set', () => {
  const cookies = 'console=plain; __Host-console=bound; other=x; __Host-console-app=app; __Host-console=second; =; ;';
  assert.deepEqual(createCookieJar(() => true).read(asking(cookies)), [
    { kind: 'browser', token: 'bound' },
    { kind: 'app', token: 'app' },
  ]);
  assert.deepEqual(createCookieJar(() => false).read(asking(cookies)), [{ kind: 'browser', token: 'plain' }]);
  assert.deepEqual(createCookieJar(() => true).read(asking(undefined)), []);
});
