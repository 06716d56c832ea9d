import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setQuality } from '../support/quality.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService({ QUALITY_MIN_SUBSCRIPTIONS: '8' });
const HOUR = 3600;

test('a farm of accounts registered together becomes low by itself, and the metrics show it', async () => {
  const { sandbox, database } = service;
  const farm = await sandbox.publisher();
  const honest = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 200 });
  for (let n = 0; n < 10; n++) {
    await sandbox.subscribe(farm.token, order, 8_200_000_000 + n * 3);
    await sandbox.subscribe(honest.token, order, freshUser());
  }
  await sandbox.advance(HOUR);
  const levels = await database.db.query<{ bot_id: bigint; level: string }>(
    'SELECT bot_id, level FROM bot_quality WHERE bot_id = ANY($1::bigint[])',
    [[farm.botId, honest.botId]],
  );
  assert.deepEqual(
    new Map(levels.map((row) => [Number(row.bot_id), row.level])),
    new Map([
      [farm.botId, 'low'],
      [honest.botId, 'good'],
    ]),
  );
  const metrics = (await sandbox.call('GET', '/metrics')).body;
  assert.match(metrics, /sponsorgate_quality_sources\{level="low"\} 1/);
  assert.match(metrics, /sponsorgate_quality_suspicious_users 10/);

  await sandbox.subscribe(farm.token, order, 8_300_000_000);
  await sandbox.subscribe(honest.token, order, freshUser());
  await sandbox.advance(25 * HOUR);
  assert.deepEqual(await sandbox.money(honest.token), { balance: 77, hold_balance: 0 });
  assert.deepEqual(
    await sandbox.money(farm.token),
    { balance: 70, hold_balance: 7 },
    'the last one is held for a week',
  );
});

test('an advertiser who removes all users after the window does not lower the score of their source', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 20 });
  const users = Array.from({ length: 10 }, freshUser);
  for (const user of users) await sandbox.subscribe(token, order, user);
  await sandbox.advance(25 * HOUR);
  for (const user of users) {
    // Telegram's apps remove a user with a ban and an unban.
    for (const status of ['kicked', 'left']) {
      await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=${status}`);
    }
  }
  const removed = await database.db.query<{ was_removed: boolean }>(
    'SELECT was_removed FROM memberships WHERE user_id = ANY($1::bigint[])',
    [users],
  );
  assert.deepEqual(removed, Array(10).fill({ was_removed: true }));
  await sandbox.advance(4 * HOUR);
  const [quality] = await database.db.query<{ reasons: { code: string }[] }>(
    'SELECT reasons FROM bot_quality WHERE bot_id = $1',
    [botId],
  );
  assert.deepEqual(
    quality?.reasons.filter(({ code }) => code === 'early_leaves'),
    [],
  );
});

test('settled subscriptions of a watched source are checked again, and the result changes no reward', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 100 });
  const users = Array.from({ length: 30 }, () => freshUser());
  for (const user of users) await sandbox.subscribe(token, order, user);
  await sandbox.advance(25 * HOUR);
  const before = await sandbox.money(token);
  await setQuality(service, botId, { level: 'watched', score: 50 });
  // Telegram sends no update of these leaves.
  for (const user of users) await sandbox.leave(order.chatId, user, true);
  await sandbox.advance(25 * HOUR);
  const checks = await database.db.query<{ stayed: boolean }>('SELECT stayed FROM stay_checks WHERE bot_id = $1', [
    botId,
  ]);
  assert.ok(checks.length > 0 && checks.length < users.length, `${checks.length} checks`);
  assert.ok(checks.every(({ stayed }) => !stayed));
  assert.deepEqual(await sandbox.money(token), before);
});
