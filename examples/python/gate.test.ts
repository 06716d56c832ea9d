/**
 * Needs python3 (3.9 or newer), so it is not part of `npm test`, which needs only Node:
 *
 *   npm test -- examples/python/gate.test.ts
 */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { useService } from '../../test/api/use-service.ts';
import { eventually } from '../../test/support/eventually.ts';
import { answer, startReceiver } from '../../test/support/receiver.ts';
import { freshUser } from '../../test/support/sandbox.ts';

const service = useService();
const SCRIPT = join(import.meta.dirname, 'gate.py');
const started: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function python(args: readonly string[], env: Record<string, string>) {
  const child = spawn('python3', ['-u', SCRIPT, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

test('the program shows the sponsors, confirms on Enter, and admits the user when all tasks are done', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = [await sandbox.advertise({ title: 'City news' }), await sandbox.advertise({ title: 'Quiz night' })];
  const user = freshUser();
  const gate = python([String(user)], { SPONSORGATE_URL: service.url, SPONSORGATE_TOKEN: token });
  const shown = (): number => gate.output().split('press Enter').length - 1;

  await eventually('the sponsors are shown', () => shown() === 1);
  for (const title of ['City news', 'Quiz night']) assert.ok(gate.output().includes(`${title}: https://t.me/`), title);
  gate.child.stdin.write('\n');
  await eventually('what is missing is shown again', () => shown() === 2);
  assert.match(gate.output(), /not_subscribed, 0 RUB/);
  for (const { chatId } of orders) await sandbox.join(chatId, user);
  gate.child.stdin.write('\n');
  assert.equal(await gate.ended, 0, gate.output());
  assert.match(gate.output(), /(task \d+: counted, 7 RUB\s+){2}Welcome in!\n$/);
  assert.equal((await sandbox.money(token)).hold_balance, 14);
});

test('a rejection ends the program with its reason and without the token, and temporary errors are retried', async () => {
  const refused = python(['1'], { SPONSORGATE_URL: service.url, SPONSORGATE_TOKEN: 'at_nobody' });
  assert.equal(await refused.ended, 1);
  assert.match(refused.output(), /^401 invalid_token: /);
  assert.ok(!refused.output().includes('at_nobody'));

  const healthy = answer(200, '{"status": "ok", "sponsors": []}');
  const server = await startReceiver((response, message, index) => {
    if (index === 0) response.writeHead(429, { 'Retry-After': '0' }).end('{}');
    else if (index === 1) response.socket?.destroy();
    else healthy(response, message, index);
  });
  const patient = python(['1'], { SPONSORGATE_URL: `http://127.0.0.1:${server.port}`, SPONSORGATE_TOKEN: 'at_x' });
  assert.equal(await patient.ended, 0, patient.output());
  assert.equal(server.received.length, 3);
  await server.close();
});

test('the endpoint accepts messages of the service and rejects modified, old and unsigned ones', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true });
  const { body: created } = await sandbox.api(token, 'webhooks', {
    url: `${service.url}/sandbox/inbox/python`,
    events: ['payout.sent'],
  });
  const receiver = python(['--receive', '0'], { WEBHOOK_SECRET: created.secret });
  await eventually('it listens', () => receiver.output().includes('waiting at'));
  const url = /http:\S+/.exec(receiver.output())?.[0] ?? '';
  await sandbox.call('POST', `/api/v1/webhooks/${created.webhook_id}/test`, undefined, { auth: token });
  const caught = async () => (await sandbox.control('GET', '/inbox?name=python')).deliveries;
  await eventually('the message is sent', async () => (await caught()).length === 1);
  const [message] = await caught();
  const post = async (body: string, changes: Record<string, string> = {}): Promise<number> => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(names.map((name) => [name, String(message.headers[name])]));
    return (await fetch(url, { method: 'POST', headers: { ...headers, ...changes }, body })).status;
  };
  assert.equal(await post(message.body), 204);
  assert.match(receiver.output(), /webhook\.test \{"webhook_id": \d+/);
  assert.equal(await post(message.body.replace('test', 'tost')), 400);
  assert.equal(await post(message.body, { 'webhook-timestamp': '1767225600' }), 400);
  assert.equal(await post(message.body, { 'webhook-signature': 'v1,AAAA' }), 400);
  assert.equal(await post(message.body, { 'webhook-id': 'evt_2' }), 400);
});
