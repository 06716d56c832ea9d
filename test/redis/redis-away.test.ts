import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { openCuttableProxy } from '../support/cuttable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort, startRedis, type TestRedis } from '../support/redis.ts';
import { startOn, type TestService } from '../support/service.ts';

const BURST = 30;
const SETTINGS = {
  ROLES: 'api',
  RATE_LIMIT_PER_SECOND: '1',
  RATE_LIMIT_BURST: String(BURST),
  // Longer than a reply takes on a busy machine, so that only the tests cause outages.
  REDIS_TIMEOUT_MS: '1000',
};
const AWAY = 'Redis is away or too slow';
const BACK = 'Redis answers again';

type Service = Omit<TestService, 'database'>;

let redis: TestRedis;
let database: TestDatabase;

before(async () => {
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
});
after(async () => {
  await redis.stop();
  await database.drop();
});

const said = (service: Service, line: string): number => service.logs().split(line).length - 1;

/** Sends requests until one is rejected. Asserts that every status is 200 or 429. */
async function exhaust({ sandbox }: Service, token: string): Promise<number> {
  for (let served = 0; served < 3 * BURST; served++) {
    const answer = await sandbox.api(token, 'get-balance', {});
    if (answer.status === 429) {
      assert.equal(answer.headers.get('ratelimit-remaining'), '0');
      return served;
    }
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  return assert.fail('nobody counts');
}

async function assertCountsInRedis(service: Service, where = redis): Promise<void> {
  const { token } = await service.sandbox.publisher();
  await where.command('FLUSHALL');
  // Ten requests keep the bucket in Redis for ten seconds, long enough to find its key.
  const asked = await Promise.all(Array.from({ length: 10 }, () => service.sandbox.api(token, 'get-balance', {})));
  assert.deepEqual([...new Set(asked.map(({ status }) => status))], [200]);
  assert.equal(((await where.command('KEYS', 'sponsorgate:rate:*')) as string[]).length, 1);
}

describe('an outage of Redis', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startOn(database.url, { ...SETTINGS, REDIS_URL: redis.url });
  });
  afterEach(() => service.stop());

  /**
   * Asserts the same for every kind of outage: requests are served and limited, the log has one line, and Redis is used
   * again.
   */
  async function assertOutage(begin: () => unknown, end: () => unknown, running = service): Promise<void> {
    const { token } = await running.sandbox.publisher();
    await assertCountsInRedis(running);
    await begin();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { status, headers } = await running.sandbox.api(token, 'get-balance', {});
        assert.equal(status, 200);
        assert.equal(headers.get('ratelimit-policy'), `"token";q=${BURST};w=${BURST}`);
      }),
    );
    assert.ok((await exhaust(running, token)) >= BURST - 10, 'this process still counts');
    assert.equal(said(running, AWAY), 1);
    assert.equal(said(running, BACK), 0);
    await end();
    await eventually('Redis is used again', () => said(running, BACK) === 1);
    await assertCountsInRedis(running);
    assert.equal(said(running, AWAY), 1);
  }

  test('a hanging Redis is bypassed and used again when it responds', async () => {
    await assertOutage(redis.hang, redis.goOn);
  });

  test('a killed Redis is bypassed and used again when it is back without data', async () => {
    await assertOutage(redis.kill, redis.startAgain);
  });

  test('a full Redis is bypassed and used again when it has space', async () => {
    await assertOutage(
      () => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
      () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    );
  });

  test('a Redis that lost the script gets it again without a failed request', async () => {
    await assertCountsInRedis(service);
    await redis.command('SCRIPT', 'FLUSH');
    await assertCountsInRedis(service);
    assert.equal(said(service, AWAY), 0);
  });

  test('a silently cut connection to Redis is replaced by a new one', async () => {
    const wire = await openCuttableProxy(redis.url);
    const behind = await startOn(database.url, { ...SETTINGS, REDIS_URL: wire.url });
    try {
      await assertCountsInRedis(behind);
      const { token } = await behind.sandbox.publisher();
      wire.cut();
      assert.equal((await behind.sandbox.api(token, 'get-balance', {})).status, 200);
      await eventually('Redis is used again', () => said(behind, BACK) === 1);
      await assertCountsInRedis(behind);
    } finally {
      await behind.stop();
      await wire.close();
    }
  });
});

describe('a service that starts', () => {
  test('without its Redis serves requests, and shares limits as soon as Redis runs', async () => {
    const port = await freePort();
    const service = await startOn(database.url, { ...SETTINGS, REDIS_URL: `redis://127.0.0.1:${port}` });
    try {
      const { token } = await service.sandbox.publisher();
      assert.ok((await exhaust(service, token)) >= BURST);
      assert.equal(said(service, AWAY), 1);
      const late = await startRedis([], port);
      await eventually('Redis is used', () => said(service, BACK) === 1);
      await assertCountsInRedis(service, late);
      await late.stop();
    } finally {
      await service.stop();
    }
  });

  test('as a Redis user with the rights that the guide names needs no others', async () => {
    const rights = '+@connection +set +get +del +time +eval +evalsha ~sponsorgate:*'.split(' ');
    await redis.command('ACL', 'SETUSER', 'sponsorgate', 'reset', 'on', '>a-password', ...rights);
    await redis.command('SCRIPT', 'FLUSH');
    const url = redis.url.replace('redis://', 'redis://sponsorgate:a-password@');
    const service = await startOn(database.url, { ...SETTINGS, REDIS_URL: url });
    await assertCountsInRedis(service);
    assert.equal(said(service, AWAY), 0);
    await service.stop();
  });

  test('with a wrong Redis password stops with a line that names the setting and not the password', async () => {
    const guarded = await startRedis(['--requirepass', 'right-password']);
    try {
      const url = guarded.url.replace('redis://', 'redis://:hunter2@');
      await assert.rejects(startOn(database.url, { ...SETTINGS, REDIS_URL: url }), (error: Error) => {
        assert.equal(error.name, 'StartError');
        assert.match(error.message, /^REDIS_URL: /);
        assert.doesNotMatch(error.message, /hunter2|right-password|\n/);
        return true;
      });
      const service = await startOn(database.url, {
        ...SETTINGS,
        REDIS_URL: guarded.url.replace('redis://', 'redis://:right-password@'),
      });
      assert.equal(said(service, AWAY), 0);
      assert.doesNotMatch(service.logs(), /right-password/);
      await service.stop();
    } finally {
      await guarded.stop();
    }
  });
});
