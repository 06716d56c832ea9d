import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Visitor } from '../console/visitor.ts';

const service = useService();

test('a page of another site cannot read the API: no response allows its origin, and every preflight fails', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const headers = { origin: 'https://evil.example', auth: token };
  for (const [method, path] of [
    ['GET', '/api/v1/token'],
    ['POST', '/api/v1/get-balance'],
    ['GET', `/statistic?api_token=${token}`],
    ['GET', '/console'],
    ['OPTIONS', '/api/v1/get-balance'],
    ['OPTIONS', '/sandbox/accounts'],
  ] as const) {
    const answer = await sandbox.call(method, path, undefined, { ...headers, 'access-control-request-method': 'POST' });
    assert.equal(answer.headers.get('access-control-allow-origin'), null, `${method} ${path}`);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null, `${method} ${path}`);
    if (method === 'OPTIONS') assert.ok([404, 405].includes(answer.status), path);
  }
});

test('the API does not accept the console cookie, so another site cannot use it there', async () => {
  const { sandbox } = service;
  const visitor = await Visitor.signedIn(sandbox);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  assert.ok(cookie.length > 20);
  for (const path of ['/api/v1/get-balance', '/api/v1/token/rotate', '/api/v1/orders']) {
    const answer = await sandbox.call('POST', path, {}, { cookie });
    assert.equal(answer.status, 401, path);
  }
});

test('a form on another site cannot call a sandbox control that takes a body, because only JSON is accepted', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await fetch(`${service.url}/sandbox/accounts`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{"deposit":100}',
    });
    assert.equal(answer.status, 400, type);
  }
});
