import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openRedis, type Redis } from '../../src/redis/index.ts';
import {
  createDatabaseShares,
  createRedisShares,
  createSharedBudgets,
  createSharesWithFallback,
} from '../../src/telegram/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

const MANAGEMENT = 7;
const PER_SECOND = 25;

let server: TestRedis;
let database: TestDatabase;
const open: Redis[] = [];

before(async () => {
  server = await startRedis();
  database = await createTestDatabase();
});
beforeEach(async () => {
  await server.command('FLUSHALL');
});
after(async () => {
  await Promise.all(open.map((redis) => redis.close()));
  await server.stop();
  await database.drop();
});

const log = { info: () => undefined, warn: () => undefined };

/** Creates the budgets of a process, with its own connection to Redis. */
async function budgetsOfAProcess() {
  const redis = await openRedis({ url: server.url, log, timeoutMs: 10_000 });
  open.push(redis);
  const store = createSharesWithFallback(redis, createRedisShares(redis), createDatabaseShares(database.db));
  const budgets = createSharedBudgets({
    store,
    perSecond: PER_SECOND,
    managementBotId: MANAGEMENT,
    log,
    agreeEveryMs: 50,
  });
  return { budgets, redis };
}

const sharesInRedis = async (): Promise<number[]> => {
  const value = await server.command('GET', `sponsorgate:checks:${MANAGEMENT}`);
  const rows = JSON.parse(typeof value === 'string' ? value : '[]') as { share: number }[];
  return rows.map(({ share }) => share).sort((a, b) => a - b);
};

test('processes divide the budget of a bot in Redis, and nothing is written to PostgreSQL', async () => {
  const processes = await Promise.all([budgetsOfAProcess(), budgetsOfAProcess(), budgetsOfAProcess()]);
  await Promise.all(processes.map(({ budgets }) => budgets.start()));
  await eventually('all have a part', async () => {
    const shares = await sharesInRedis();
    return shares.length === 3 && shares.reduce((sum, share) => sum + share, 0) === PER_SECOND;
  });
  assert.deepEqual(await database.db.query('SELECT 1 FROM check_shares'), []);
  await Promise.all(processes.map(({ budgets }) => budgets.stop()));
  assert.deepEqual(await sharesInRedis(), []);
});

test('while Redis is away the processes divide the budget in PostgreSQL', async () => {
  const processes = await Promise.all([budgetsOfAProcess(), budgetsOfAProcess()]);
  await Promise.all(processes.map(({ budgets }) => budgets.start()));
  await server.kill();
  await eventually('both have a part in PostgreSQL', async () => {
    const rows = await database.db.query<{ share: number }>('SELECT share FROM check_shares');
    return rows.length === 2 && rows.reduce((sum, { share }) => sum + share, 0) === PER_SECOND;
  });
  await server.startAgain();
  await eventually('they are back in Redis', async () => (await sharesInRedis()).length === 2);
  await Promise.all(processes.map(({ budgets }) => budgets.stop()));
});
