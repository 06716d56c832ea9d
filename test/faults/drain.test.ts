import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

after(killAll);

test('a process that is told to stop is not ready at once, serves until the drain ends, and closes connections', async () => {
  const database = await createTestDatabase();
  const service = await startProcess({ DATABASE_URL: database.url, DRAIN_SECONDS: '20' });
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.equal((await ask(agent, `${service.url}/api/v1/ready`)).headers.connection, 'keep-alive');

  const ended = service.end('SIGTERM');
  await eventually('it is not ready', async () => (await sandbox.call('GET', '/api/v1/ready')).status === 503);
  const ready = await sandbox.call('GET', '/api/v1/ready');
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '1']);
  assert.equal((await sandbox.api(token, 'get-sponsors', { user_id: freshUser() })).status, 200);
  // The open connection still works once, and the response closes it.
  const last = await ask(agent, `${service.url}/api/v1/health`);
  assert.deepEqual([last.statusCode, last.headers.connection], [200, 'close']);
  assert.equal((await ended).code, 0);
  await assert.rejects(sandbox.call('GET', '/api/v1/health'));
  agent.destroy();
  await database.drop();
});

function ask(agent: Agent, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response));
    });
    asked.on('error', reject);
    asked.end();
  });
}
