import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSender, type SenderOptions } from '../../src/modules/webhooks/index.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());

async function send(url: string, options: SenderOptions) {
  const sender = createSender({ timeoutMs: 5_000, ...options });
  try {
    return await sender.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
  } finally {
    sender.close();
  }
}

/** Hosts that a stored URL may contain when the check at its creation did not catch them. */
const SPELLINGS = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::ffff:127.0.0.1]', '[::1]'];

for (const host of SPELLINGS) {
  test(`no request is sent to loopback written as ${host}`, async () => {
    const result = await send(`http://${host}:${receiver.port}/`, { allowLoopback: false });
    assert.equal(result.statusCode, null);
    assert.match(String(result.error), /not a public address/);
    assert.deepEqual(receiver.received, []);
  });
}

/** Responses of an attacker's name server. */
const ANSWERS: readonly (readonly string[])[] = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['10.0.0.1', '192.168.0.1', '172.16.0.1'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['fd00::1'],
  ['fe80::1'],
  ['64:ff9b::7f00:1'],
  ['0.0.0.0'],
  ['::'],
  ['224.0.0.1'],
  ['not an address'],
  [],
];

for (const addresses of ANSWERS) {
  test(`no request is sent to a name that resolves to ${JSON.stringify(addresses)}`, async () => {
    for (const protocol of ['http', 'https']) {
      const resolve = async () => addresses;
      const url = `${protocol}://rebind.example:${receiver.port}/`;
      const result = await send(url, { allowLoopback: false, resolve });
      assert.equal(result.statusCode, null);
      assert.match(String(result.error), /not a public address/);
    }
    assert.deepEqual(receiver.received, []);
  });
}

test('a name that now resolves to a forbidden address is refused at the next connection', async (t) => {
  const own = await startReceiver((response) => void response.writeHead(200, { connection: 'close' }).end());
  t.after(() => own.close());
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  let asked = 0;
  const sender = createSender({ allowLoopback: true, resolve: async () => answers[asked++] ?? [] });
  t.after(() => sender.close());
  const once = () =>
    sender.send({ url: `http://rebind.example:${own.port}/`, headers: {}, body: '{}' }, new AbortController().signal);
  assert.equal((await once()).statusCode, 200);
  const second = await once();
  assert.equal(second.statusCode, null);
  assert.match(String(second.error), /10\.0\.0\.1.* is not a public address/);
  assert.equal(own.received.length, 1);
});

test('a connection uses only the allowed addresses of a name', async (t) => {
  const own = await startReceiver();
  t.after(() => own.close());
  const resolve = async () => ['10.255.255.1', 'fd00::1', '127.0.0.1'];
  const result = await send(`http://mixed.example:${own.port}/`, { allowLoopback: true, resolve });
  assert.equal(result.statusCode, 204);
});

test('localhost is allowed in a sandbox and refused otherwise', async (t) => {
  const own = await startReceiver();
  t.after(() => own.close());
  const url = `http://localhost:${own.port}/`;
  assert.match(String((await send(url, { allowLoopback: false })).error), /not a public address/);
  assert.deepEqual(own.received, []);
  assert.equal((await send(url, { allowLoopback: true })).statusCode, 204);
});

test('a name that cannot be resolved fails the attempt with a reason', async () => {
  const resolve = () => Promise.reject(new Error('queryA ENOTFOUND nowhere.example'));
  const result = await send('http://nowhere.example/', { allowLoopback: false, resolve });
  assert.deepEqual(result, {
    statusCode: null,
    error: 'queryA ENOTFOUND nowhere.example',
    responseHeaders: null,
    response: null,
  });
});

test('a kept-alive connection that the endpoint closed is replaced without a failed attempt', async (t) => {
  let closeNext = false;
  const own = await startReceiver((response) => {
    if (closeNext) response.socket?.destroy();
    else response.writeHead(200).end();
    closeNext = false;
  });
  t.after(() => own.close());
  const sender = createSender({ allowLoopback: true });
  t.after(() => sender.close());
  const once = () => sender.send({ url: own.url, headers: {}, body: '{}' }, new AbortController().signal);
  assert.equal((await once()).statusCode, 200);
  closeNext = true;
  assert.equal((await once()).statusCode, 200);
  closeNext = true;
  const fresh = createSender({ allowLoopback: true });
  t.after(() => fresh.close());
  const cut = await fresh.send({ url: own.url, headers: {}, body: '{}' }, new AbortController().signal);
  assert.equal(cut.statusCode, null, 'on a new connection the same is a failure');
});
