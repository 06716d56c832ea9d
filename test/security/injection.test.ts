import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();
const FORGED = 'x\r\n{"level":60,"msg":"forged"}\n\u001b[31mred\u2028\u0085';

const escaped = (value: string): string => encodeURIComponent(value).replace(/[^\w%.-]/g, '');

test('the log stays one JSON object per line for any input, and callers cannot add lines', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  await sandbox.api(token, 'get-sponsors', {
    user_id: freshUser(),
    first_name: FORGED,
    username: FORGED,
    action: FORGED,
  });
  await sandbox.api(token, 'links', { url: `https://example.com/${FORGED}`, name: FORGED });
  await sandbox.api(token, 'orders', { name: FORGED, link: FORGED, resource_type: 'channel', title: FORGED });
  await sandbox.api(token, 'webhooks', { url: FORGED, events: [FORGED] });
  await sandbox.call('GET', `/${escaped(FORGED)}?x=${escaped(FORGED)}`, undefined, { auth: token });
  await sandbox.call('GET', '/api/v1/token', undefined, {
    auth: token,
    'user-agent': '{"level":60}',
    'x-request-id': '{"level":60}',
  });
  const lines = service.logs().split('\n').filter(Boolean);
  assert.ok(lines.length > 5);
  for (const line of lines) {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    assert.ok(level < 50 && msg !== 'forged', line);
  }
});

/** Writes the request to a socket, because HTTP clients refuse to send malformed requests. Returns the raw response. */
async function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setTimeout(10_000, () => socket.destroy());
  socket.end(request);
  return text(socket);
}

test('a header that contains another header or a second request is refused or treated as text', async () => {
  for (const header of [
    'X-Request-Id: abcdefgh\r\n Set-Cookie: a=b', // a folded header
    'X-Request-Id: abcdefgh\nSet-Cookie: a=b',
    'X-Request-Id: abcdefgh\rSet-Cookie: a=b',
    'X-Request-Id: abc%0d%0aSet-Cookie:%20a=b',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 6',
    'Transfer-Encoding: chunked, identity',
    'Auth : at_x',
  ]) {
    const answer = await raw(
      `GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 (?:200|400) /, `${header} → ${answer.slice(0, 200)}`);
    const [head = ''] = answer.split('\r\n\r\n', 1);
    assert.doesNotMatch(head, /set-cookie/i, header);
  }
});

test('conflicting length headers cannot smuggle a second request', async () => {
  const smuggled = 'GET /api/v1/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const answer = await raw(
    `POST /api/v1/get-balance HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(answer.split('HTTP/1.1 ').length, 2, 'more than one answer');
});

test('line breaks in a path or a query never reach the response headers', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  for (const path of [
    '/l/%0d%0aSet-Cookie:a=b',
    '/statistic?api_token=%0d%0aSet-Cookie:a=b',
    '/console/%0d%0aSet-Cookie:a=b',
    '/%0d%0aSet-Cookie:a=b',
  ]) {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuth: ${token}\r\nConnection: close\r\n\r\n`);
    const [head = ''] = answer.split('\r\n\r\n', 1);
    assert.doesNotMatch(head, /^set-cookie/im, path);
    assert.match(head, /^HTTP\/1\.1 [34]\d\d /, path);
  }
});
