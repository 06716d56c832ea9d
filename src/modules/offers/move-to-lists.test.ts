import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEmptyDatabase } from '../../../test/support/database.ts';
import { migrate, openDatabase, serviceMigrations } from '../../db/index.ts';
import { readLists } from './placement-store.ts';
import { unpackTasks } from './task-list.ts';

const LAST_WITH_ROWS = 12;

/** A database as it was before open tasks moved into lists. */
async function migrateHalfway(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  try {
    for (const name of await readdir(serviceMigrations.folder)) {
      if (Number.parseInt(name, 10) <= LAST_WITH_ROWS) {
        await copyFile(join(serviceMigrations.folder, name), join(folder, name));
      }
    }
    await migrate(url, [{ ...serviceMigrations, folder }]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('tasks that were rows of their own move into lists as they were, and what was decided keeps its row', async (t) => {
  const server = await createEmptyDatabase();
  const db = openDatabase({ url: server.url, onError: () => undefined });
  t.after(async () => {
    await db.close();
    await server.drop();
  });
  await migrateHalfway(server.url);
  await db.query("INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'Owner', now())");
  await db.query("INSERT INTO bots (account_id, username, created_at) VALUES (1, 'gate_bot', now())");
  await db.query("INSERT INTO rounds VALUES (7, 1, 3, 5, '2026-05-02 00:00+00'), (8, 1, 1, 1, '2026-05-02 00:00+00')");
  const offer = (user: number, order: number, round: number, state: string, expiresAt: string) =>
    db.query(
      `INSERT INTO offers (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                           reward_kopecks, hold_seconds, refund, offered_at, expires_at)
       VALUES ($1, 1, $2::int, 1, $2::int + 100, $3, $2::int, $4, 1000, 700, 60, true, '2026-05-01 10:00:00.123456+00', $5)`,
      [user, order, round, state, expiresAt],
    );
  await offer(7, 1, 3, 'offered', '2026-05-01 11:00:00.5+00');
  await offer(7, 2, 3, 'expired', '2026-05-01 10:30+00');
  await offer(7, 3, 3, 'held', '2026-05-01 10:40+00');
  await offer(7, 4, 2, 'offered', '2026-05-01 10:50+00');
  await offer(7, 5, 1, 'expired', '2026-04-01 10:50+00');
  await offer(8, 3, 1, 'settled', '2026-05-01 10:40+00');

  await migrate(server.url, [serviceMigrations]);

  const [list] = await readLists(db, [{ userId: 7, botId: 1, remembered: undefined }]);
  const listed = unpackTasks({ userId: 7, botId: 1 }, 1, list?.written ?? '');
  assert.deepEqual(
    listed.map(({ orderId, round, position, state: now, resourceId, expiresAt }) => [
      ...[orderId, round, position, now, resourceId, expiresAt.toISOString()],
    ]),
    [
      [1, 3, 1, 'offered', 101, '2026-05-01T11:00:00.500Z'],
      [2, 3, 2, 'expired', 102, '2026-05-01T10:30:00.000Z'],
      [3, 3, 3, 'held', 103, '2026-05-01T10:40:00.000Z'],
      [4, 2, 4, 'offered', 104, '2026-05-01T10:50:00.000Z'],
    ],
  );
  assert.deepEqual(
    [listed[0]?.chargeKopecks, listed[0]?.rewardKopecks, listed[0]?.holdSeconds, listed[0]?.refund],
    [1000n, 700n, 60, true],
  );
  assert.equal(listed[0]?.offeredAt.toISOString(), '2026-05-01T10:00:00.123Z');
  assert.deepEqual(
    await db.query(
      'SELECT user_id::int AS "user", account_id::int AS owner, expires_at AS lapses FROM task_lists ORDER BY 1',
    ),
    [
      { user: 7, owner: 1, lapses: new Date('2026-05-01T10:50:00Z') },
      { user: 8, owner: 1, lapses: null },
    ],
  );
  assert.deepEqual(
    await db.query('SELECT user_id::int AS "user", order_id::int AS "order", state FROM offers ORDER BY 1, 2'),
    [
      { user: 7, order: 3, state: 'held' },
      { user: 8, order: 3, state: 'settled' },
    ],
  );
  assert.deepEqual(
    await db.query('SELECT state, count(*)::int AS count FROM all_tasks GROUP BY state ORDER BY state'),
    [
      { state: 'expired', count: 1 },
      { state: 'held', count: 1 },
      { state: 'offered', count: 2 },
      { state: 'settled', count: 1 },
    ],
  );
});
