import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { NETWORKS } from '../compat/networks.ts';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

let dataDir: DataDir;
beforeEach(async () => {
  dataDir = await createDataDir();
});
afterEach(async () => {
  await killAll();
  await dataDir.remove();
});
after(killAll);

/** PostgreSQL does not start without this file. */
const control = (): string => join(dataDir.path, 'postgres/cluster/global/pg_control');

async function killPostgres(): Promise<void> {
  await rename(control(), `${control()}.away`);
  process.kill(await dataDir.postmasterPid(), 'SIGKILL');
}

const isReady = async ({ sandbox }: ServiceProcess): Promise<boolean> =>
  (await sandbox.call('GET', '/api/v1/ready')).status === 200;

test('while its PostgreSQL is down the service returns 503, is not ready, and restarts PostgreSQL', async () => {
  const service = await startProcess({ DATA_DIR: dataDir.path });
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  assert.deepEqual((await sandbox.call('GET', '/api/v1/ready')).body, { status: 'ready' });

  await killPostgres();
  await eventually('the service is not ready', async () => !(await isReady(service)));
  const away = await sandbox.api(publisher.token, 'get-sponsors', { user_id: freshUser() });
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1']);
  assert.deepEqual([away.body.detail, away.body.code], ['Service Unavailable', 'database_unavailable']);
  assert.equal(typeof away.body.message, 'string');
  for (const network of NETWORKS) {
    network.assertError(await network.ask(sandbox, publisher.token, freshUser()), 503);
    network.assertError(await network.ask(sandbox, 'at_not_cached', freshUser()), 503);
  }
  const ready = await sandbox.call('GET', '/api/v1/ready');
  assert.deepEqual([ready.status, ready.body.code], [503, 'database_unavailable']);
  assert.deepEqual((await sandbox.call('GET', '/api/v1/health')).body, { status: 'ok' });

  await rename(`${control()}.away`, control());
  await eventually('the service is ready again', () => isReady(service));
  const back = await sandbox.api(publisher.token, 'get-sponsors', { user_id: freshUser() });
  assert.equal(back.status, 200);
  for (const network of NETWORKS) {
    const answer = await network.ask(sandbox, publisher.token, freshUser());
    assert.ok(
      network.links(answer).length > 0,
      `${network.name} shows the demo orders: ${JSON.stringify(answer.body)}`,
    );
  }
  await eventually('timed work goes on', async () => {
    return (await sandbox.call('POST', '/sandbox/clock', { advance_seconds: 60 })).status === 200;
  });
  const lines = service.stderr().split('\n');
  assert.ok(lines.some((line) => line.includes('"level":50') && line.includes('ended by itself (SIGKILL)')));
  assert.equal(lines.filter((line) => line.includes('requests are answered with 503')).length, 1);
  assert.equal((await service.end('SIGTERM')).code, 0);
});

test('a service that cannot restart its PostgreSQL exits with 1 and prints the reason in one line', async () => {
  const service = await startProcess({ DATA_DIR: dataDir.path, DATABASE_RESTART_SECONDS: '2' });
  await killPostgres();
  assert.deepEqual(await service.exited, { code: 1, signal: null });
  assert.match(service.stderr(), /^sponsorgate: the embedded PostgreSQL is lost after .*pg_control is missing.*$/m);
});
