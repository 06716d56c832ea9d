import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCuttableProxy } from '../support/cuttable-proxy.ts';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { examineFor } from '../support/doctor.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { killAll, type Settings } from '../support/process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startOn } from '../support/service.ts';

let redis: TestRedis;
let database: TestDatabase;
let dataDir: DataDir;
before(async () => {
  [redis, database, dataDir] = await Promise.all([startRedis(), createTestDatabase(), createDataDir()]);
});
after(async () => {
  await killAll();
  await redis.stop();
  await database.drop();
  await dataDir.remove();
});

describe('the doctor', () => {
  // Longer than a reply takes on a busy machine, so that only the test of a slow Redis reports one.
  const examine = (url: string, settings: Settings = { REDIS_TIMEOUT_MS: '10000' }): Promise<string> =>
    examineFor('redis', { DATA_DIR: dataDir.path, PORT: '1', REDIS_URL: url, ...settings });
  const as = (user: string, where = redis): string => where.url.replace('redis://', `redis://${user}@`);

  test('names the version of a working Redis and the time of a count', async () => {
    assert.match(await examine(redis.url), /^ok redis Redis \d+\.\d+\.\d+ takes counts in \d+\.\d ms; .* 10000 ms/);
  });

  test('needs only the rights that the guide names, and lists them when one is missing', async () => {
    const rights = '+@connection +set +get +del +time +eval +evalsha ~sponsorgate:*'.split(' ');
    await redis.command('ACL', 'SETUSER', 'enough', 'reset', 'on', '>a-password', ...rights);
    assert.match(await examine(as('enough:a-password')), /^ok redis Redis \d+\.\d+\.\d+ /);
    await redis.command('ACL', 'SETUSER', 'less', 'reset', 'on', '>a-password', '+@connection', '~sponsorgate:*');
    assert.match(await examine(as('less:a-password')), /^fail redis refuses us .*needs \+@connection \+set/);
  });

  test('reports a wrong password without repeating it', async () => {
    const found = await examine(as('nobody:hunter2'));
    assert.match(found, /^fail redis refuses us \(WRONGPASS/);
    assert.ok(!found.includes('hunter2'));
  });

  test('reports a Redis that responds too slowly for a request', async () => {
    const wire = await openCuttableProxy(redis.url);
    try {
      wire.slowDown(150);
      const found = await examine(wire.url, { REDIS_TIMEOUT_MS: '50' });
      assert.match(found, /^warn redis Redis .* takes counts in \d{3,}\.\d ms.* 50 ms.*raise REDIS_TIMEOUT_MS/);
    } finally {
      await wire.close();
    }
  });

  test('reports a full Redis and a replica', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    assert.match(await examine(redis.url), /^fail redis is full: raise its maxmemory/);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    const copy = await startRedis(['--replicaof', '127.0.0.1', new URL(redis.url).port]);
    try {
      assert.match(await examine(copy.url), /^fail redis is a copy of another/);
    } finally {
      await copy.stop();
    }
  });

  test('rejects a cluster', async () => {
    const cluster = await startRedis(['--cluster-enabled', 'yes', '--dir', dataDir.path]);
    try {
      assert.match(await examine(cluster.url), /^fail redis .*is a cluster, which cannot be used/);
    } finally {
      await cluster.stop();
    }
  });
});

describe('the metric redis_up', () => {
  test('shows whether limits are shared now', async () => {
    const service = await startOn(database.url, { ROLES: 'api', REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '1000' });
    const isUp = async () => (await readFigures(service.url)).value('redis_up');
    try {
      assert.equal(await isUp(), 1);
      await redis.kill();
      await eventually('it is seen to be away', async () => (await isUp()) === 0);
      await redis.startAgain();
      await eventually('it is seen to be back', async () => (await isUp()) === 1);
    } finally {
      await service.stop();
    }
  });

  test('is absent without a configured Redis', async () => {
    const service = await startOn(database.url, { ROLES: 'api' });
    try {
      assert.equal((await readFigures(service.url)).value('redis_up'), undefined);
    } finally {
      await service.stop();
    }
  });
});
