import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sha256 } from '../../src/core/secrets.ts';
import { grantBeta, listTokens, revokeBeta, revokeToken } from '../../src/modules/bots/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer, Sandbox } from '../support/sandbox.ts';
import { startOn, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
/** A second process with the same database and its own cache. */
let other: Awaited<ReturnType<typeof startOn>>;
before(async () => {
  service = await startTestService();
  other = await startOn(service.database.url);
});
after(async () => {
  await other.stop();
  await service.stop();
});

const HOUR_SECONDS = 60 * 60;

const SHOWN = ['createdAt', 'fingerprint', 'id', 'scopes', 'validUntil'];

const describe = (sandbox: Sandbox, token: string): Promise<Answer> =>
  sandbox.call('GET', '/api/v1/token', undefined, { auth: token });
const rotate = (token: string, body: unknown = {}, sandbox = service.sandbox): Promise<Answer> =>
  sandbox.call('POST', '/api/v1/token/rotate', body, { auth: token });
/** Returns true when the token is accepted by a request that may use the token cache. */
const works = async (sandbox: Sandbox, token: string): Promise<boolean> => {
  const { status } = await sandbox.api(token, 'get-balance', {});
  assert.ok(status === 200 || status === 401, `answered ${status}`);
  return status === 200;
};
const isBeta = async (sandbox: Sandbox, token: string): Promise<boolean> => {
  const { status } = await sandbox.call('GET', '/api/v1/orders', undefined, { auth: token });
  assert.ok(status === 200 || status === 401, `answered ${status}`);
  return status === 200;
};

test('GET /token returns the bot, the scopes and the expiry of a token', async () => {
  const { sandbox } = service;
  const plain = await sandbox.publisher({ username: 'plain_bot' });
  const { status, body } = await describe(sandbox, plain.token);
  assert.equal(status, 200);
  const { created_at, ...rest } = body;
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  assert.deepEqual(rest, { bot_id: plain.botId, bot_username: 'plain_bot', scopes: [], expires_at: null });
  const beta = await sandbox.publisher({ beta: true });
  assert.deepEqual((await describe(sandbox, beta.token)).body.scopes, ['beta']);
  assert.equal((await describe(sandbox, 'at_wrong')).status, 401);
});

test('both tokens work with the same scopes during the grace period, and the old one stops in every process at its end', async () => {
  const { sandbox } = service;
  const { token: old } = await sandbox.publisher({ beta: true });
  const begin = Date.parse((await sandbox.control('GET', '/state')).now);
  const { status, headers, body } = await rotate(old, { grace_hours: 2 });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(body.api_token, /^at_[\w-]{43}$/);
  const end = Date.parse(body.old_token_valid_until);
  assert.ok(end >= begin + 2 * HOUR_SECONDS * 1_000 && end < begin + 3 * HOUR_SECONDS * 1_000);

  assert.deepEqual((await describe(sandbox, old)).body.expires_at, body.old_token_valid_until);
  assert.deepEqual((await describe(sandbox, body.api_token)).body.expires_at, null);
  await sandbox.advance(2 * HOUR_SECONDS - 60);
  for (const process of [sandbox, other.sandbox]) {
    for (const token of [old, body.api_token]) {
      assert.ok(await works(process, token));
      assert.ok(await isBeta(process, token));
      assert.equal((await process.statistic(token)).status, 200);
    }
  }
  // Both processes used the token a minute before its end, so both have it in their caches.
  await sandbox.advance(60);
  assert.ok(!(await works(sandbox, old)));
  assert.equal((await sandbox.statistic(old)).status, 401);
  assert.equal((await describe(sandbox, old)).status, 401);
  await eventually('the other process refuses it', async () => !(await works(other.sandbox, old)));
  for (const process of [sandbox, other.sandbox]) assert.ok(await isBeta(process, body.api_token));
});

test('the grace period is a day by default, and with a grace of 0 the old token stops at once', async () => {
  const { sandbox } = service;
  const { token: first } = await sandbox.publisher();
  const headers = { auth: first, 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.url}/api/v1/token/rotate`, { method: 'POST', headers });
  assert.equal(response.status, 201);
  const answer = (await response.json()) as { api_token: string; old_token_valid_until: string };
  const now = Date.parse((await sandbox.control('GET', '/state')).now);
  const hours = (Date.parse(answer.old_token_valid_until) - now) / (HOUR_SECONDS * 1_000);
  assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`);

  assert.ok(await works(other.sandbox, answer.api_token));
  const last = (await rotate(answer.api_token, { grace_hours: 0 })).body.api_token;
  for (const token of [first, answer.api_token]) {
    assert.ok(!(await works(sandbox, token)));
    await eventually('the other process refuses it', async () => !(await works(other.sandbox, token)));
  }
  assert.ok(await works(other.sandbox, last));
});

test('a replaced token cannot rotate again, so a leaked token cannot lock its owner out', async () => {
  const { sandbox } = service;
  const { token: leaked } = await sandbox.publisher();
  const { body } = await rotate(leaked);
  for (const process of [sandbox, other.sandbox]) {
    const again = await rotate(leaked, { grace_hours: 0 }, process);
    assert.deepEqual([again.status, again.body.code, again.body.api_token], [422, 'conflict', undefined]);
    assert.match(again.body.message, /management bot/);
  }
  await sandbox.advance(24 * HOUR_SECONDS);
  assert.ok(!(await works(sandbox, leaked)));
  assert.equal((await rotate(leaked)).status, 401);
  assert.ok(await works(sandbox, body.api_token));
});

test('a grace period that is not a whole number from 0 to 168 is refused, and the token does not change', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const grace of [-1, 169, 1.5, '24', true]) {
    const { status, body } = await rotate(token, { grace_hours: grace });
    assert.deepEqual([status, body.errors?.[0].field], [422, 'grace_hours'], String(grace));
  }
  for (const body of [[], 'x', 7]) assert.equal((await rotate(token, body)).status, 422, JSON.stringify(body));
  assert.equal((await describe(sandbox, token)).body.expires_at, null);
  assert.equal((await rotate(token, { grace_hours: 168 })).status, 201);
});

test('a revoked token is refused by every process, and other tokens still work', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  const stranger = await sandbox.publisher();
  const next = (await rotate(token)).body.api_token;
  for (const process of [sandbox, other.sandbox]) for (const one of [token, next]) assert.ok(await works(process, one));
  const [newest, oldest] = await listTokens(database.db, botId);
  assert.ok(newest && oldest);
  const at = new Date((await sandbox.control('GET', '/state')).now);
  const revoke = (of: number) =>
    database.db.transaction((tx) => revokeToken(tx, { botId: of, tokenId: newest.id, at }));
  assert.equal(await revoke(stranger.botId), false, 'a token of another bot');
  assert.equal(await revoke(botId), true);
  assert.equal(await revoke(botId), false, 'it has ended already');
  for (const process of [sandbox, other.sandbox]) {
    await eventually('the token is refused', async () => !(await works(process, next)));
    assert.equal((await rotate(next, {}, process)).status, 401);
    assert.ok(await works(process, token));
  }
});

test('a change of beta access applies to all valid tokens of the bot in every process', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  const bystander = await sandbox.publisher();
  const tokens = [token, (await rotate(token)).body.api_token];
  const everyone = async (expected: boolean): Promise<void> => {
    for (const process of [sandbox, other.sandbox]) {
      for (const one of tokens) {
        await eventually(`beta is ${expected}`, async () => (await isBeta(process, one)) === expected);
        assert.deepEqual((await describe(process, one)).body.scopes, expected ? ['beta'] : []);
      }
      assert.ok(!(await isBeta(process, bystander.token)));
    }
  };
  await everyone(false);
  const change = async (how: typeof grantBeta): Promise<number> => {
    const at = new Date((await sandbox.control('GET', '/state')).now);
    return database.db.transaction((tx) => how(tx, { botId, at }));
  };
  assert.equal(await change(grantBeta), 2);
  await everyone(true);
  assert.equal(await change(grantBeta), 2, 'granting twice is granting once');
  await everyone(true);
  assert.equal(await change(revokeBeta), 2);
  await everyone(false);
});

test('the sandbox shows the token that it created until the token expires', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const shown = async (): Promise<unknown> => {
    const { bots } = await sandbox.control('GET', '/state');
    return (bots as { bot_id: number; api_token: unknown }[]).find((bot) => bot.bot_id === botId)?.api_token;
  };
  await rotate(token, { grace_hours: 1 });
  assert.equal(await shown(), token);
  await sandbox.advance(HOUR_SECONDS);
  assert.equal(await shown(), null);
});

test('the list of tokens contains only fingerprints, and no log contains a rotated token', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher({ beta: true });
  const next = (await rotate(token, { grace_hours: 1 })).body.api_token as string;
  const listed = await listTokens(database.db, botId);
  const prints = [next, token].map((one) => sha256(one).toString('hex').slice(0, 8));
  assert.deepEqual(
    listed.map(({ fingerprint, scopes, validUntil }) => [fingerprint, scopes, validUntil instanceof Date]),
    [
      [prints[0], ['beta'], false],
      [prints[1], ['beta'], true],
    ],
  );
  for (const one of listed) assert.deepEqual(Object.keys(one).sort(), SHOWN);
  assert.ok(service.logs().includes('answered') && !service.logs().includes(next.slice('at_'.length)));
});
