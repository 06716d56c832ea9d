import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { beforeEach, test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { assertRefused, countRows } from './refusals.ts';
import { useService } from './use-service.ts';

const service = useService();
const LIMIT_BYTES = 64 * 1024;
const WITH_BODY = ['get-sponsors', 'confirm-subscription', 'confirm-subscriptions'];
const ALL = [...WITH_BODY, 'get-balance'];

let token = '';
beforeEach(async () => {
  ({ token } = await service.sandbox.publisher());
});

function post(path: string, body: string | Buffer | undefined, type: string | null = 'application/json') {
  return fetch(`${service.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { auth: token, ...(type === null ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
}

const UNREADABLE: readonly (string | Buffer)[] = [
  ...[
    '{',
    '}',
    '[',
    '{"user_id":',
    '{"user_id":1',
    '{user_id:1}',
    "{'user_id':1}",
    '{"user_id":1,}',
    'undefined',
    'NaN',
  ],
  ...['{"user_id":01}', '{"user_id":+1}', '{"user_id":1}{}', '{"user_id":"\n"}', '{"a":"\\x"}', 'user_id=1', '<xml/>'],
  ...[' ', '\0', Buffer.from('fffe7b007d00', 'hex'), Buffer.from('1f8b0800', 'hex'), Buffer.from('c080', 'hex')],
];
for (const path of ALL) {
  test(`${path} returns 400 for a body that is not JSON, and changes nothing`, async () => {
    await service.sandbox.advertise();
    const counts = await countRows(service);
    for (const body of UNREADABLE) await assertRefused(await post(path, body), 400, JSON.stringify(body));
    assert.deepEqual(await countRows(service), counts);
  });

  test(`${path} returns 400 for a body with another content type or none`, async () => {
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const others = ['text/plain', 'text/json', 'application/xml', 'application/jsonx', 'application/octet-stream'];
    for (const type of [...forms, ...others, 'x', '*/*', '', null]) {
      const response = await post(path, '{"user_id":1,"ads_id":1,"ads_ids":[1]}', type);
      await assertRefused(response, 400, `${path} as ${type}`);
    }
  });

  test(`${path} accepts 64 KiB and returns 400 for one byte more, with or without a length`, async () => {
    const frame = { user_id: freshUser(), ads_id: 1, ads_ids: [1], filling: '' };
    const room = LIMIT_BYTES - JSON.stringify(frame).length;
    const filled = (bytes: number): string => JSON.stringify({ ...frame, filling: 'x'.repeat(bytes) });
    assert.equal(Buffer.byteLength(filled(room)), LIMIT_BYTES);
    assert.equal((await post(path, filled(room))).status, 200);
    await assertRefused(await post(path, filled(room + 1)), 400, 'one byte too many');
    await assertRefused(await post(path, filled(10 * LIMIT_BYTES)), 400, 'far too many bytes');
    const chunked = await fetch(`${service.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', auth: token },
      body: new Blob([filled(room + 1)]).stream(),
      duplex: 'half',
    } as RequestInit);
    await assertRefused(chunked, 400, 'one byte too many, in chunks');
  });
}

for (const path of WITH_BODY) {
  test(`${path} returns 422 for JSON that is not an object and for a missing body`, async () => {
    const counts = await countRows(service);
    for (const body of ['null', '[]', '[{"user_id":1}]', '5', '-1.5', '"text"', '""', 'true', 'false']) {
      await assertRefused(await post(path, body), 422, body);
    }
    await assertRefused(await post(path, undefined), 422, 'an empty body');
    await assertRefused(await post(path, ''), 422, 'an empty body with a length');
    const typeless = await fetch(`${service.url}/api/v1/${path}`, { method: 'POST', headers: { auth: token } });
    await assertRefused(typeless, 422, 'no body and no content type');
    assert.deepEqual(await countRows(service), counts);
  });
}

test('a content type with a charset or in another case is accepted', async () => {
  for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON']) {
    assert.equal((await post('get-sponsors', `{"user_id":${freshUser()}}`, type)).status, 200, type);
  }
});

test('keys such as __proto__ are ignored and do not pollute the prototype', async () => {
  const { orderId } = await service.sandbox.advertise();
  const bodies = [
    `{"user_id":USER,"__proto__":{"max_sponsors":"x","isAdmin":true}}`,
    `{"user_id":USER,"constructor":{"prototype":{"isAdmin":true}}}`,
    `{"user_id":USER,"toString":1,"hasOwnProperty":1,"valueOf":null}`,
    `{"user_id":USER,"x":{"__proto__":{"isAdmin":true}}}`,
  ];
  for (const body of bodies) {
    const response = await post('get-sponsors', body.replace('USER', String(freshUser())));
    assert.equal(response.status, 200, body);
    const { sponsors } = (await response.json()) as { sponsors: { ads_id: number }[] };
    assert.deepEqual(
      sponsors.map((task) => task.ads_id),
      [orderId],
    );
  }
  assert.equal((Object.prototype as unknown as Record<string, unknown>).isAdmin, undefined);
  const hidden = await post('get-sponsors', '{"__proto__":{"user_id":1}}');
  await assertRefused(hidden, 422, 'user_id in the prototype', 'user_id');
});

test('the last value of a repeated key is used and validated', async () => {
  await assertRefused(await post('get-sponsors', '{"user_id":1,"user_id":"x"}'), 422, 'the second is bad', 'user_id');
  assert.equal((await post('get-sponsors', `{"user_id":"x","user_id":${freshUser()}}`)).status, 200);
});

test('invalid UTF-8 is refused or replaced, and never fails with a 500', async () => {
  const inName = Buffer.concat([
    Buffer.from(`{"user_id":${freshUser()},"first_name":"`),
    Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ]);
  assert.ok([200, 400].includes((await post('get-sponsors', inName)).status));
  const inKey = Buffer.concat([Buffer.from('{"user_\xff'), Buffer.from([0xff]), Buffer.from('":1}')]);
  await assertRefused(await post('get-sponsors', inKey), 422, 'a key that is no UTF-8', 'user_id');
});

test('deeply nested JSON is handled like any other body', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const depth = 10_000;
    const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
    assert.equal((await post('get-sponsors', `{"user_id":${freshUser()},"x":${nested}}`)).status, 200);
    await assertRefused(await post('get-sponsors', `{"user_id":${nested}}`), 422, 'deep user_id', 'user_id');
  }
});

/** Writes text to a socket and returns the raw response. */
function raw(text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer in time, only: ${answer}`)));
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const NOT_HTTP: readonly (readonly [string, string | Buffer])[] = [
  ['chatter', 'hello, is anybody there?\r\n\r\n'],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
  ['a version that does not exist', 'GET /api/v1/health HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a header without a name', 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n: nothing\r\n\r\n'],
  ['two lengths', 'POST /api/v1/get-balance HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  ['a length that is no number', 'POST /api/v1/get-balance HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}'],
  ['headers without end', `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
];
for (const [name, text] of NOT_HTTP) {
  test(`invalid HTTP gets a 400 in JSON: ${name}`, async () => {
    const answer = await raw(text);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(answer, /\r\nContent-Type: application\/json\r\n/i);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
    assert.equal(body.detail, 'Bad Request');
    assert.equal(body.code, 'malformed_request');
    assert.equal(typeof body.message, 'string');
  });
}

test('a path that cannot be decoded returns 400 in the same format', async () => {
  for (const path of ['/%zz', '/api/v1/%c0%af', '/api/v1/get-balance%']) {
    await assertRefused(await fetch(service.url + path), 400, path);
  }
});
