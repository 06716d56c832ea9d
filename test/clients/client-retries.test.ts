import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, SponsorgateError } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { answer, type Respond, startReceiver } from '../support/receiver.ts';
import { freshUser } from '../support/sandbox.ts';
import { startTestService } from '../support/service.ts';

const service = useService();

/** Starts a server that gives the `first` responses one after the other, and then only healthy ones. */
async function afterwards(first: readonly Respond[], options: { retries?: number } = {}) {
  const healthy = answer(200, '{"status":"ok"}');
  const server = await startReceiver((response, message, index) => (first[index] ?? healthy)(response, message, index));
  const client = createClient({ baseUrl: `http://127.0.0.1:${server.port}`, token: 'at_x', ...options });
  return { client, server };
}

const tooMany: Respond = (response) => void response.writeHead(429, { 'Retry-After': '0' }).end('{}');
const cut: Respond = (response) => void response.socket?.destroy();

test('a call is retried after 429, 5xx and a lost connection, twice by default', async () => {
  for (const trouble of [tooMany, answer(500, '{}'), answer(503), cut]) {
    const { client, server } = await afterwards([trouble, trouble]);
    assert.equal((await client.health()).status, 'ok');
    assert.equal(server.received.length, 3);
    await server.close();
  }
  for (const retries of [0, 1]) {
    const { client, server } = await afterwards([tooMany, tooMany, tooMany], { retries });
    await assert.rejects(client.health(), SponsorgateError);
    assert.equal(server.received.length, retries + 1);
    await server.close();
  }
});

test('concurrent calls beyond the rate limit all succeed after retries', async () => {
  const strict = await startTestService({ RATE_LIMIT_PER_SECOND: '5', RATE_LIMIT_BURST: '2' });
  try {
    const { token } = await strict.sandbox.publisher();
    let refused = 0;
    const counting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 429) refused += 1;
      return response;
    };
    const client = createClient({ baseUrl: strict.url, token, retries: 10, fetch: counting });
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.getBalance()));
    assert.deepEqual(
      answers.map(({ balance }) => balance),
      [0, 0, 0, 0, 0, 0],
    );
    assert.ok(refused > 0, 'the limit was met');
  } finally {
    await strict.stop();
  }
});

test('a call that the service may have executed is not repeated when the operation takes no idempotency key', async () => {
  for (const trouble of [answer(500, '{}'), cut]) {
    const { client, server } = await afterwards([trouble], { retries: 5 });
    await assert.rejects(client.webhooks.create({ url: 'https://example.com/', events: ['payout.sent'] }));
    assert.equal(server.received.length, 1);
    await server.close();
  }
  const { client, server } = await afterwards([tooMany]);
  await client.webhooks.create({ url: 'https://example.com/', events: ['payout.sent'] });
  assert.equal(server.received.length, 2, 'a call that was refused was certainly not carried out');
  await server.close();
});

/** Returns a fetch that sends every request but loses the first response. */
function losingFirstAnswer(): typeof fetch {
  let lost = 0;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (lost++ > 0) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}

test('an order whose response was lost is bought once and topped up once, despite repeats', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const lossy = () => createClient({ baseUrl: service.url, token, fetch: losingFirstAnswer() });
  const chat = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News', username: `n${freshUser()}` });
  const terms = { title: 'News', link: chat.link, price_per_sub: 10, quantity: 5 };
  const { order_id: id } = await lossy().orders.create({ ...terms, resource_type: 'channel' });
  assert.equal((await lossy().orders.topUp(id, { quantity: 2 })).remainder, 70);
  assert.equal((await lossy().orders.pause(id)).status, 'paused');

  const client = createClient({ baseUrl: service.url, token });
  assert.equal((await client.orders.list()).orders.length, 1);
  assert.equal((await client.getBalance()).balance, 930);
  await sandbox.assertBalanced();
});

test("a caller's own key makes a call safe to repeat after a crash and is rejected for another body", async () => {
  const { token } = await service.sandbox.publisher({ beta: true });
  const client = createClient({ baseUrl: service.url, token });
  const once = { idempotencyKey: `order-${freshUser()}` };
  const first = await client.links.create({ url: 'https://example.com/' }, once);
  assert.deepEqual(await client.links.create({ url: 'https://example.com/' }, once), first);
  const other = client.links.create({ url: 'https://example.com/other' }, once);
  await assert.rejects(other, { status: 422, code: 'idempotency_mismatch' });
  assert.notEqual((await client.links.create({ url: 'https://example.com/' })).link_id, first.link_id);
});

test('a delete succeeds when the response to the first attempt was lost, and fails when nothing existed', async () => {
  const { token } = await service.sandbox.publisher({ beta: true });
  const client = createClient({ baseUrl: service.url, token });
  const { link_id: id } = await client.links.create({ url: 'https://example.com/' });
  const lossy = createClient({ baseUrl: service.url, token, fetch: losingFirstAnswer() });
  assert.equal(await lossy.links.delete(id), undefined);
  await assert.rejects(client.links.delete(id), { status: 404, code: 'link_not_found' });
});
