import assert from 'node:assert/strict';
import { test } from 'node:test';
import { switchBot } from '../../src/modules/bots/index.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

test('the balance has exactly the fields of the contract', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ deposit: 12.34, username: 'balance_fields_bot' });
  const answer = await sandbox.api(token, 'get-balance', {});
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(answer.body, {
    balance: 12.34,
    hold_balance: 0,
    withdrawable: 12.34,
    bots_info: [{ bot_id: botId, bot_username: 'balance_fields_bot', is_active: true }],
  });
});

test('every bot of an owner gets the same balance and the list of all bots of the owner', async () => {
  const { sandbox, database } = service;
  const one = await sandbox.publisher({ deposit: 100 });
  const other = await sandbox.publisher({ account_id: one.accountId });
  const off = await sandbox.publisher({ account_id: one.accountId });
  await database.db.transaction((tx) => switchBot(tx, off.botId, false));
  await sandbox.subscribe(one.token, await sandbox.advertise(), freshUser());

  const seen = await sandbox.api(one.token, 'get-balance', {});
  assert.deepEqual((await sandbox.api(other.token, 'get-balance', {})).body, seen.body);
  assert.equal(seen.body.balance, 100);
  assert.equal(seen.body.hold_balance, 7);
  assert.deepEqual(
    seen.body.bots_info.map((bot: { bot_id: number; is_active: boolean }) => [bot.bot_id, bot.is_active]),
    [
      [one.botId, true],
      [other.botId, true],
      [off.botId, false],
    ],
  );
});

test('another account does not see the balance', async () => {
  const { sandbox } = service;
  await sandbox.publisher({ deposit: 100 });
  const stranger = await sandbox.publisher();
  const { body } = await sandbox.api(stranger.token, 'get-balance', {});
  assert.equal(body.balance, 0);
  assert.deepEqual(
    body.bots_info.map((bot: { bot_id: number }) => bot.bot_id),
    [stranger.botId],
  );
});

test('amounts are rubles with at most two decimals, without floating-point errors', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 0.15, quantity: 3, hold_hours: 0 });
  for (let i = 0; i < 3; i++) await sandbox.subscribe(token, order, freshUser()); // three times 0.10
  const response = await fetch(`${service.url}/api/v1/get-balance`, { method: 'POST', headers: { auth: token } });
  assert.match(await response.text(), /"balance":0\.3,/);
});

const BODIES: readonly [string, RequestInit][] = [
  ['no body and no content type', {}],
  ['an empty body with a JSON content type', { headers: { 'content-type': 'application/json' } }],
  ['an empty object', { headers: { 'content-type': 'application/json' }, body: '{}' }],
  ['fields that nobody asked for', { headers: { 'content-type': 'application/json' }, body: '{"user_id":"x"}' }],
];
for (const [name, init] of BODIES) {
  test(`get-balance accepts ${name}`, async () => {
    const { token } = await service.sandbox.publisher({ deposit: 5 });
    const response = await fetch(`${service.url}/api/v1/get-balance`, {
      ...init,
      method: 'POST',
      headers: { ...(init.headers as Record<string, string> | undefined), auth: token },
    });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { balance: number }).balance, 5);
  });
}
