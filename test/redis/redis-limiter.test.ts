import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createSecrets } from '../../src/core/secrets.ts';
import { createMemoryRateLimiter, createRedisRateLimiter, type RatePolicy } from '../../src/http/index.ts';
import { openRedis, type Redis } from '../../src/redis/index.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

const SECRETS = createSecrets('a secret key of the two processes');
const SLOW: RatePolicy = { name: 'token', perSecond: 1, burst: 500 };

let server: TestRedis;
let warnings: string[];
const open: Redis[] = [];

before(async () => {
  server = await startRedis();
});
beforeEach(async () => {
  warnings = [];
  await server.command('FLUSHALL');
});
after(async () => {
  await Promise.all(open.map((redis) => redis.close()));
  await server.stop();
});

/** Creates a limiter with its own connection, as each process has one. */
async function limiterOfAProcess({ timeoutMs = 10_000, secrets = SECRETS } = {}) {
  const log = { info: () => undefined, warn: (details: object) => void warnings.push(JSON.stringify(details)) };
  const redis = await openRedis({ url: server.url, log, timeoutMs });
  open.push(redis);
  const limiter = createRedisRateLimiter({ redis, secrets, local: createMemoryRateLimiter() });
  const { giveBack } = limiter;
  const take = async (policy: RatePolicy, key: string) => limiter.take(policy, key);
  const takeMany = async (policy: RatePolicy, key: string, times: number) => {
    const states = await Promise.all(Array.from({ length: times }, () => take(policy, key)));
    return states.filter(({ isAllowed }) => isAllowed).length;
  };
  return { take, giveBack, takeMany, redis };
}

test('two processes together allow as many concurrent requests as one bucket holds', async () => {
  const [one, other] = [await limiterOfAProcess(), await limiterOfAProcess()];
  const begin = performance.now();
  const allowed = await Promise.all([one.takeMany(SLOW, 'a', 700), other.takeMany(SLOW, 'a', 700)]);
  const refilled = (performance.now() - begin) / 1000;
  const total = (allowed[0] ?? 0) + (allowed[1] ?? 0);
  assert.ok(total >= SLOW.burst && total <= SLOW.burst + refilled, `${allowed.join(' + ')}`);
  assert.deepEqual(warnings, []);
});

test('a bucket in Redis and one in memory decide the same', async () => {
  const shared = await limiterOfAProcess();
  const memory = createMemoryRateLimiter(() => 0); // no time passes
  for (const policy of [SLOW, { name: 'odd', perSecond: 3, burst: 7 }, { name: 'one', perSecond: 1, burst: 1 }]) {
    const asks = policy.burst + 5;
    // One pipeline, so that all requests reach Redis at nearly the same time.
    const inRedis = await Promise.all(Array.from({ length: Math.min(asks, 200) }, () => shared.take(policy, 'same')));
    const inMemory = inRedis.map(() => memory.take(policy, 'same'));
    assert.deepEqual(inRedis, inMemory);
  }
});

test('a returned request does not count and never allows more than the burst', async () => {
  const one = await limiterOfAProcess();
  assert.equal(await one.takeMany({ ...SLOW, burst: 5 }, 'b', 5), 5);
  for (let i = 0; i < 20; i++) one.giveBack({ ...SLOW, burst: 5 }, 'b');
  assert.equal((await one.take({ ...SLOW, burst: 5 }, 'b')).remaining, 4);
});

test('each policy, key and secret key has its own bucket', async () => {
  const policy = { ...SLOW, burst: 5 };
  const one = await limiterOfAProcess();
  const stranger = await limiterOfAProcess({ secrets: createSecrets('another') });
  assert.equal(await one.takeMany(policy, 'c', 5), 5);
  assert.equal((await one.take(policy, 'd')).remaining, 4);
  assert.equal((await one.take({ ...policy, name: 'address' }, 'c')).remaining, 4);
  assert.equal((await one.take({ ...policy, burst: 50 }, 'c')).remaining, 49, 'a changed setting holds at once');
  assert.equal((await stranger.take(policy, 'c')).remaining, 4);
});

test('a bucket with a time in the future is treated as empty and recovers', async () => {
  const one = await limiterOfAProcess();
  const policy: RatePolicy = { name: 'token', perSecond: 1, burst: 20 };
  await one.takeMany(policy, 'e', 20);
  const [key = ''] = (await server.command('KEYS', 'sponsorgate:rate:*')) as string[];
  await server.command('SET', key, '9e15'); // as after a failover from a master whose clock was years ahead
  const { isAllowed, retryAfterSeconds, resetSeconds } = await one.take(policy, 'e');
  assert.deepEqual(
    { isAllowed, retryAfterSeconds, resetSeconds },
    { isAllowed: false, retryAfterSeconds: 1, resetSeconds: 20 },
  );
});

test('a pause of the process itself does not count as an outage of Redis', async () => {
  const { take, redis } = await limiterOfAProcess({ timeoutMs: 500 });
  await take(SLOW, 'f');
  const asked = take(SLOW, 'f');
  for (let i = 0; i < 20; i++) await Promise.resolve(); // the client sends at the end of this event loop turn
  await new Promise((resolve) => {
    setImmediate(() => {
      // Block this process for longer than the timeout while the reply arrives.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      resolve(undefined);
    });
  });
  assert.ok((await asked).isAllowed);
  assert.ok(redis.isUp);
  assert.deepEqual(warnings, []);
});
