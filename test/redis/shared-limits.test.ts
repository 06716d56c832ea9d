import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import type { Answer, Sandbox } from '../support/sandbox.ts';

const BURST = 100;
/** The slowest refill, so that shared and separate buckets give clearly different counts. */
const SLOW: Settings = {
  RATE_LIMIT_PER_SECOND: '1',
  RATE_LIMIT_BURST: String(BURST),
  ADDRESS_RATE_LIMIT_PER_SECOND: '1',
  ADDRESS_RATE_LIMIT_BURST: String(BURST),
  // These tests are about counting. On a busy machine Redis may take longer than the default timeout of a request.
  REDIS_TIMEOUT_MS: '10000',
};

let redis: TestRedis;
let database: TestDatabase;
let processes: ServiceProcess[];

const reach = (n: number): Sandbox => {
  const reached = processes[n % processes.length];
  assert.ok(reached);
  return reached.sandbox;
};

before(async () => {
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const settings = { ...SLOW, DATABASE_URL: database.url, REDIS_URL: redis.url, ROLES: 'api' };
  processes = [await startProcess(settings), await startProcess(settings)];
});
after(async () => {
  await killAll();
  await redis.stop();
  await database.drop();
});

/**
 * Sends requests to the processes in turn until one rejects. Returns the number of served requests and the highest
 * allowed number.
 */
async function exhaust(ask: (sandbox: Sandbox) => Promise<Answer>) {
  const begin = performance.now();
  const answers: Answer[] = [];
  let answer: Answer;
  do {
    answer = await ask(reach(answers.length));
    answers.push(answer);
  } while (answer.status !== 429 && answers.length < 3 * BURST);
  const refilled = (performance.now() - begin) / 1000;
  return { served: answers.length - 1, atMost: BURST + refilled, refusal: answer, answers };
}

describe('two processes with one Redis', () => {
  test('together allow a token as much as one process alone, and then both reject it', async () => {
    const { token } = await reach(0).publisher();
    const { served, atMost, refusal, answers } = await exhaust((sandbox) => sandbox.api(token, 'get-balance', {}));
    assert.ok(served >= BURST && served <= atMost, `${served} were served, and ${atMost} at most should be`);
    assert.deepEqual([...new Set(answers.slice(0, -1).map(({ status }) => status))], [200]);
    assert.equal(refusal.body.code, 'too_many_requests');
    assert.equal(refusal.headers.get('retry-after'), '1');
    assert.equal(refusal.headers.get('ratelimit-policy'), `"token";q=${BURST};w=${BURST}`);
    assert.equal(refusal.headers.get('ratelimit-remaining'), '0');
    for (const n of [0, 1]) {
      await eventually(
        `process ${n} refuses`,
        async () => (await reach(n).api(token, 'get-balance', {})).status === 429,
      );
    }
  });

  test('return the same remaining count to the caller', async () => {
    const { token } = await reach(0).publisher();
    const left = [];
    for (let n = 0; n < 20; n++) {
      const { headers } = await reach(n).api(token, 'get-balance', {});
      left.push(Number(headers.get('ratelimit-remaining')));
    }
    assert.equal(left[0], BURST - 1);
    for (const [n, remaining] of left.entries()) {
      const before = left[n - 1] ?? BURST;
      assert.ok(remaining <= before && remaining >= BURST - n - 1, JSON.stringify(left));
    }
    assert.ok((left.at(-1) ?? BURST) < BURST - 5, `both count: ${JSON.stringify(left)}`);
  });

  test('do not let one token use the limit of another', async () => {
    const [busy, calm] = [await reach(0).publisher(), await reach(0).publisher()];
    await exhaust((sandbox) => sandbox.api(busy.token, 'get-balance', {}));
    for (const n of [0, 1]) assert.equal((await reach(n).api(calm.token, 'get-balance', {})).status, 200);
  });

  test('limit wrong tokens across both processes as in one', async () => {
    const { served, atMost } = await exhaust((sandbox) => sandbox.api('at_wrong', 'get-balance', {}));
    assert.ok(served <= atMost, `${served} guesses, and ${atMost} at most should be`);
    assert.equal((await reach(1).api('at_wrong', 'get-balance', {})).status, 429);
  });

  test('a process that starts later includes the earlier requests', async () => {
    const { token } = await reach(0).publisher();
    await exhaust((sandbox) => sandbox.api(token, 'get-balance', {}));
    const settings = { ...SLOW, DATABASE_URL: database.url, REDIS_URL: redis.url, ROLES: 'api' };
    const late = await startProcess(settings);
    const { status, headers } = await late.sandbox.api(token, 'get-balance', {});
    await late.end('SIGTERM');
    const remaining = Number(headers.get('ratelimit-remaining'));
    assert.ok(status === 429 || remaining < BURST / 2, `it had ${remaining} left`);
  });

  test('exit with 0 on a stop signal', async () => {
    const settings = { ...SLOW, DATABASE_URL: database.url, REDIS_URL: redis.url, ROLES: 'api' };
    const { code } = await (await startProcess(settings)).end('SIGTERM');
    assert.equal(code, 0);
  });
});

describe('the data in Redis', () => {
  /** Sends five requests. At one per second Redis keeps the bucket for five seconds, long enough to read it. */
  async function askOften(sandbox: Sandbox, token: string): Promise<void> {
    await Promise.all(Array.from({ length: 5 }, () => sandbox.api(token, 'get-balance', {})));
  }

  test('contains no tokens, bots of publishers or addresses', async () => {
    const { token, botId } = await reach(0).publisher();
    await askOften(reach(0), token);
    await askOften(reach(1), 'at_a_wrong_token');
    const keys = (await redis.command('KEYS', '*')) as string[];
    // The shares of the service's own bots are named by the Telegram id of the bot, which is public.
    const buckets = keys.filter((key) => key !== 'sponsorgate:up' && !/^sponsorgate:checks:\d+$/.test(key));
    assert.ok(buckets.length >= 2, JSON.stringify(keys));
    for (const key of buckets) assert.match(key, /^sponsorgate:rate:[\w-]{22}$/);
    const values = await Promise.all(buckets.map((key) => redis.command('GET', key)));
    for (const value of values) assert.match(String(value), /^[\d.]+$/, 'a number and nothing else');
    for (const secret of [token, 'wrong', '127.0.0.1']) {
      assert.ok(!buckets.some((key) => key.includes(secret)), secret);
    }
    // A signed name may begin with the same digit, so only a whole part counts.
    assert.ok(!buckets.some((key) => key.split(':').includes(String(botId))), `bot ${botId}`);
  });

  test('expires when the bucket is full again', async () => {
    const { token } = await reach(0).publisher();
    await redis.command('FLUSHALL');
    await askOften(reach(0), token);
    const [key = ''] = (await redis.command('KEYS', 'sponsorgate:rate:*')) as string[];
    const lifetimeMs = Number(await redis.command('PTTL', key));
    assert.ok(lifetimeMs > 0 && lifetimeMs <= 5_000, `five requests at one a second, kept for ${lifetimeMs} ms`);
    await eventually('the key is gone', async () => (await redis.command('EXISTS', key)) === 0);
  });
});
