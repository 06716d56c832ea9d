import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Answer, freshUser } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { range } from '../support/users.ts';

const HEADERS = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function assertRateHeaders(headers: Headers, what: string): void {
  for (const name of HEADERS) assert.ok(headers.has(name), `${what} has no ${name}`);
  for (const name of HEADERS.slice(2)) assert.match(headers.get(name) ?? '', /^\d+$/, `${what}: ${name}`);
}

describe('a token with a burst of three', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' });
  });
  after(() => service.stop());

  test('gets 429 with Retry-After after its burst, and is served again later', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const statuses = [];
    // On a slow machine the bucket refills meanwhile, so the refusal may come later than the fourth request.
    let answer = await sandbox.api(token, 'get-balance', {});
    while (answer.status !== 429 && statuses.length < 50) {
      statuses.push(answer.status);
      answer = await sandbox.api(token, 'get-balance', {});
    }
    assert.ok(statuses.length >= 3, 'the burst is served');
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.equal(answer.status, 429);
    assert.equal(answer.body.detail, 'Too Many Requests');
    assert.equal(answer.body.code, 'too_many_requests');
    assert.equal(typeof answer.body.message, 'string');
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(answer.headers.get('ratelimit-remaining'), '0');

    await eventually('served again', async () => (await sandbox.api(token, 'get-balance', {})).status === 200);
  });

  test('does not share its limit with another token or with health', async () => {
    const { sandbox } = service;
    const [busy, calm] = [await sandbox.publisher(), await sandbox.publisher()];
    let status = 200;
    for (let i = 0; i < 50 && status !== 429; i++) ({ status } = await sandbox.api(busy.token, 'get-balance', {}));
    assert.equal(status, 429);
    assert.equal((await sandbox.api(calm.token, 'get-balance', {})).status, 200);
    assert.equal((await sandbox.call('GET', '/api/v1/health')).status, 200);
  });

  test('has one limit for all routes, including /statistic', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    let answer = await sandbox.statistic(token);
    const remaining = Number(answer.headers.get('ratelimit-remaining'));
    answer = await sandbox.api(token, 'get-sponsors', { user_id: freshUser() });
    assert.ok(Number(answer.headers.get('ratelimit-remaining')) <= remaining);
    // On a slow machine the bucket may refill before the second route is called.
    await eventually('get-balance is refused after /statistic has used up the limit', async () => {
      await Promise.all(range(5).map(() => sandbox.statistic(token)));
      return (await sandbox.api(token, 'get-balance', {})).status === 429;
    });
  });

  test('a request refused with 422 counts towards the limit', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    let answer = await sandbox.api(token, 'get-sponsors', { user_id: 'x' });
    assert.equal(answer.status, 422);
    for (let i = 0; i < 50 && answer.status !== 429; i++) {
      answer = await sandbox.api(token, 'get-sponsors', { user_id: 'x' });
    }
    assert.equal(answer.status, 429);
  });

  test('gets the limits in the headers of every response', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const answers = {
      200: await sandbox.api(token, 'get-balance', {}),
      422: await sandbox.api(token, 'get-sponsors', { user_id: 'x' }),
      '404 for a task': await sandbox.api(token, 'confirm-subscription', { user_id: 1, ads_id: 999_999 }),
      401: await sandbox.api('at_wrong', 'get-balance', {}),
      '404 for a path': await sandbox.call('GET', '/nowhere'),
      '404 for a path, with a body': await sandbox.call('POST', '/nowhere', { some: 'body' }),
      health: await sandbox.call('GET', '/api/v1/health'),
      'statistic as html': await sandbox.statistic((await sandbox.publisher()).token, { output_format: 'html' }),
    };
    for (const [what, { headers }] of Object.entries(answers)) assertRateHeaders(headers, what);
    assert.equal(answers[200].headers.get('ratelimit-limit'), '3');
    assert.equal(answers[200].headers.get('ratelimit-policy'), '"token";q=3;w=3');
    let last = answers[200];
    for (let i = 0; i < 50 && last.status !== 429; i++) last = await sandbox.api(token, 'get-balance', {});
    assert.equal(last.status, 429);
    assertRateHeaders(last.headers, '429');
  });

  test('the response to an unreadable body has the headers on known and unknown paths', async () => {
    const { token } = await service.sandbox.publisher();
    const init = { method: 'POST', headers: { 'content-type': 'application/json', auth: token }, body: '{' };
    const known = await fetch(`${service.url}/api/v1/get-balance`, init);
    assert.equal(known.status, 400);
    assertRateHeaders(known.headers, '400');
    const unknown = await fetch(`${service.url}/nowhere`, init);
    assert.equal(unknown.status, 404);
    assertRateHeaders(unknown.headers, '404');
    const undecodable = await fetch(`${service.url}/%zz`);
    assert.equal(undecodable.status, 400);
    assertRateHeaders(undecodable.headers, '400 for the address');
  });
});

describe('an address with a burst of two', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ ADDRESS_RATE_LIMIT_PER_SECOND: '1', ADDRESS_RATE_LIMIT_BURST: '2' });
  });
  after(() => service.stop());

  /** Sends requests with a wrong token until the limit refuses them. */
  async function exhaust(): Promise<void> {
    let answer = await service.sandbox.api('at_wrong', 'get-balance', {});
    for (let i = 0; i < 50 && answer.status !== 429; i++) {
      assert.equal(answer.status, 401);
      answer = await service.sandbox.api('at_wrong', 'get-balance', {});
    }
    assert.equal(answer.status, 429);
    assert.equal(answer.body.detail, 'Too Many Requests');
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(answer.headers.get('ratelimit-policy'), '"address";q=2;w=2');
    assertRateHeaders(answer.headers, '429');
  }

  test('is refused after two wrong tokens', async () => {
    await exhaust();
  });

  const FREE: readonly (readonly [string, () => Promise<Answer>])[] = [
    ['unknown paths', () => service.sandbox.call('GET', '/nowhere')],
    ['/statistic with a wrong token', () => service.sandbox.statistic('at_wrong')],
    ['calls without a token', () => service.sandbox.call('POST', '/api/v1/get-sponsors', { user_id: 1 })],
    ['health', () => service.sandbox.call('GET', '/api/v1/health')],
  ];
  for (const [what, call] of FREE) {
    test(`gets 429 after too many requests: ${what}`, async () => {
      let answer = await call();
      for (let i = 0; i < 50 && answer.status !== 429; i++) answer = await call();
      assert.equal(answer.status, 429);
      assert.equal(answer.headers.get('retry-after'), '1');
    });
  }

  test('is served with a valid token even after many wrong tokens', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const isServed = async () => (await sandbox.api(token, 'get-balance', {})).status === 200;
    await eventually('the token is served', isServed);
    await exhaust();
    for (let i = 0; i < 10; i++) assert.ok(await isServed());
  });

  test('has no limit for requests with valid tokens', async () => {
    const { sandbox } = service;
    const tokens = [];
    for (let i = 0; i < 6; i++) tokens.push((await sandbox.publisher()).token);
    const [first = '', ...others] = tokens;
    await eventually('the address may ask', async () => (await sandbox.api(first, 'get-balance', {})).status === 200);
    for (const token of others) assert.equal((await sandbox.api(token, 'get-balance', {})).status, 200);
  });
});
