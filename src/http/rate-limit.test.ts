import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import fastify from 'fastify';
import { answerError } from './errors.ts';
import { createMemoryRateLimiter, enforceRate, type RatePolicy } from './rate-limit.ts';

fc.configureGlobal({ seed: 1 });

const POLICY: RatePolicy = { name: 'token', perSecond: 2, burst: 5 };

/** Returns a limiter with a clock that moves only when the test calls `pass`. */
function limiterInTime() {
  let now = 1_000_000;
  const limiter = createMemoryRateLimiter(() => now);
  const takeMany = (policy: RatePolicy, key: string, times: number) =>
    Array.from({ length: times }, () => limiter.take(policy, key)).filter(({ isAllowed }) => isAllowed).length;
  return {
    ...limiter,
    takeMany,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

describe('a bucket', () => {
  test('allows exactly the burst at once', () => {
    const { take } = limiterInTime();
    const remaining = Array.from({ length: 5 }, () => take(POLICY, 'a').remaining);
    assert.deepEqual(remaining, [4, 3, 2, 1, 0]);
    assert.deepEqual(take(POLICY, 'a'), { isAllowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 3 });
  });

  test('refills at its rate, up to its burst', () => {
    const { takeMany, pass } = limiterInTime();
    assert.equal(takeMany(POLICY, 'a', 9), 5);
    pass(0.4);
    assert.equal(takeMany(POLICY, 'a', 9), 0, 'not before a whole one is there');
    pass(0.1);
    assert.equal(takeMany(POLICY, 'a', 9), 1);
    pass(1.5);
    assert.equal(takeMany(POLICY, 'a', 9), 3);
    pass(3600);
    assert.equal(takeMany(POLICY, 'a', 9), 5, 'unused requests do not add up');
  });

  test('belongs to one key and one policy', () => {
    const { takeMany } = limiterInTime();
    assert.equal(takeMany(POLICY, 'a', 9), 5);
    assert.equal(takeMany(POLICY, 'b', 9), 5);
    assert.equal(takeMany({ ...POLICY, name: 'address' }, 'a', 9), 5);
    assert.equal(takeMany(POLICY, 'a', 9), 0);
  });

  test('does not count refused requests, so retrying does not delay the next allowed request', () => {
    const { takeMany, pass } = limiterInTime();
    takeMany(POLICY, 'a', 5);
    for (let i = 0; i < 4; i++) {
      assert.equal(takeMany(POLICY, 'a', 100), 0);
      pass(0.125);
    }
    assert.equal(takeMany(POLICY, 'a', 9), 1);
  });

  test('allows a request after the time in retryAfterSeconds', () => {
    const policies = fc.record({
      name: fc.constant('p'),
      perSecond: fc.integer({ min: 1, max: 1000 }),
      burst: fc.integer({ min: 1, max: 1000 }),
    });
    const pauses = fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(policies, pauses, (policy, waits) => {
        const { take, takeMany, pass } = limiterInTime();
        for (const seconds of waits) {
          pass(seconds);
          takeMany(policy, 'a', policy.burst);
          const state = take(policy, 'a');
          if (state.isAllowed) continue;
          assert.ok(Number.isInteger(state.retryAfterSeconds) && state.retryAfterSeconds >= 1);
          pass(state.retryAfterSeconds);
          assert.ok(take(policy, 'a').isAllowed);
        }
      }),
    );
  });

  test('never allows more than the burst plus the rate, and never reports a negative remainder', () => {
    const steps = fc.array(
      fc.record({ seconds: fc.double({ min: 0, max: 3, noNaN: true }), asks: fc.nat({ max: 12 }) }),
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const { take, pass } = limiterInTime();
        let elapsed = 0;
        let allowed = 0;
        for (const { seconds, asks } of taken) {
          pass(seconds);
          elapsed += seconds;
          for (let i = 0; i < asks; i++) {
            const state = take(POLICY, 'a');
            if (state.isAllowed) allowed++;
            assert.ok(state.remaining >= 0 && state.remaining < POLICY.burst);
            assert.equal(state.retryAfterSeconds > 0, !state.isAllowed);
            assert.ok(state.resetSeconds >= 0 && state.resetSeconds <= POLICY.burst / POLICY.perSecond + 1);
          }
          assert.ok(allowed <= POLICY.burst + elapsed * POLICY.perSecond + 1e-6);
        }
      }),
    );
  });
});

describe('a request given back', () => {
  test('does not count', () => {
    const { take, giveBack, takeMany } = limiterInTime();
    take(POLICY, 'a');
    giveBack(POLICY, 'a');
    assert.equal(takeMany(POLICY, 'a', 9), 5);
    giveBack(POLICY, 'a');
    assert.equal(takeMany(POLICY, 'a', 9), 1);
  });

  test('never raises the allowance above the burst', () => {
    const { giveBack, takeMany } = limiterInTime();
    for (let i = 0; i < 10; i++) giveBack(POLICY, 'a');
    assert.equal(takeMany(POLICY, 'a', 99), 5);
  });
});

describe('with very many callers', () => {
  const crowd = 30_000;
  const addresses: RatePolicy = { name: 'address', perSecond: 20, burst: 40 };

  test('each caller keeps its own bucket, and no used request is restored early', () => {
    const { take, takeMany, pass } = limiterInTime();
    const slow: RatePolicy = { name: 'slow', perSecond: 1, burst: 200 };
    assert.equal(takeMany(slow, 'greedy', 300), 200);
    assert.equal(takeMany(addresses, 'quick', 40), 40);
    for (let i = 0; i < crowd; i++) take(addresses, `first ${i}`);
    assert.equal(takeMany(addresses, 'quick', 40), 0, 'no time has passed');
    pass(100);
    for (let i = 0; i < crowd; i++) take(addresses, `second ${i}`);
    assert.equal(takeMany(slow, 'greedy', 300), 100, 'one for each second, however many others came');
    assert.equal(takeMany(addresses, 'quick', 99), 40);
  });
});

test('every response has both forms of the rate headers, and a refusal has Retry-After', async () => {
  const { take, giveBack, pass } = limiterInTime();
  const app = fastify();
  app.setErrorHandler(answerError);
  app.get('/', async (_request, reply) => {
    await enforceRate({ take, giveBack }, reply, { name: 'token', perSecond: 1, burst: 2 }, 'a');
    return {};
  });
  const first = await app.inject('/');
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers['ratelimit-policy'], '"token";q=2;w=2');
  assert.equal(first.headers.ratelimit, '"token";r=1;t=1');
  assert.equal(first.headers['ratelimit-limit'], '2');
  assert.equal(first.headers['ratelimit-remaining'], '1');
  assert.equal(first.headers['ratelimit-reset'], '1');
  assert.equal(first.headers['retry-after'], undefined);
  await app.inject('/');
  const refused = await app.inject('/');
  assert.equal(refused.statusCode, 429);
  assert.deepEqual([refused.json().detail, refused.json().code], ['Too Many Requests', 'too_many_requests']);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.headers.ratelimit, '"token";r=0;t=2');
  pass(1);
  assert.equal((await app.inject('/')).statusCode, 200);
});
