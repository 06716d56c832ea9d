/**
 * Measures confirms per second over HTTP with group commit, and compares them with the same endpoint that calls one SQL
 * function per request, in one run: on one hot order, and on a thousand orders. `node bench/confirm.ts`
 *
 * Both servers use the same HTTP stack and token check. Each has its own process on the same PostgreSQL with durable
 * commits. Short rounds alternate between the two, and the medians are compared. The users have joined and Telegram has
 * reported it, as it does where our bot is an administrator. No figure includes a call to Telegram.
 */
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { systemClock } from '../src/core/clock.ts';
import { toRubles } from '../src/core/money.ts';
import { openDatabase } from '../src/db/index.ts';
import { buildServer, createMemoryRateLimiter } from '../src/http/index.ts';
import { createTokenCache } from '../src/modules/bots/index.ts';
import { ConfirmBody, ConfirmResponse } from '../src/modules/tasks/schemas.ts';
import { addOpenTasks, addOrders, type Ground, makeGround } from './fill.ts';
import { CONNECTIONS } from './get-sponsors-load.ts';
import { type LoadResult, request, sendLoad } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, sayHello, serveOurs } from './stage.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 2;
const TASKS_A_ROUND = { ours: 40_000, yardstick: 15_000 };
const TASK_COLUMNS = `user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
  reward_kopecks, hold_seconds, refund, was_outside, shown_at, expires_at`;
const TARGETS = { hot: 3, many: 2 };

let lastUser = 7_000_000_000;

const [, , role, databaseUrl = ''] = process.argv;
if (role === 'ours') await serveOurs(databaseUrl);
else if (role === 'yardstick') await serveYardstick(databaseUrl);
else await measure();

/** Starts the same server with the same token check. Its handler calls one SQL function. */
async function serveYardstick(url: string): Promise<void> {
  const db = openDatabase({ url, onError: console.error });
  const unlimited = { perSecond: 1e6, burst: 1e6 };
  const app = buildServer({
    log: pino({ level: 'fatal' }),
    gate: {
      tokens: createTokenCache(db, systemClock),
      limiter: createMemoryRateLimiter(),
      perToken: { name: 'token', ...unlimited },
      perAddress: { name: 'address', ...unlimited },
    },
    publicRoutes: [],
    queryTokenRoutes: [],
    unguardedRoutes: [],
    tokenRoutes: [
      async (app) => {
        app.post<{ Body: { user_id: number; ads_id: number } }>(
          '/api/v1/confirm-subscription',
          { schema: { body: ConfirmBody, response: { 200: ConfirmResponse } } },
          async ({ body, caller }) => {
            const [row] = await db.query<{ reward: bigint | null }>('SELECT bench_confirm($1, $2, $3) AS reward', [
              body.user_id,
              caller?.bot.id,
              body.ads_id,
            ]);
            if (row?.reward == null) throw new Error('not confirmed');
            return {
              status: 'ok',
              subscribed: true,
              credited: toRubles(row.reward),
              message: 'Subscription confirmed',
              code: 'counted',
              grant_access: true,
              credit_status: 'hold',
            };
          },
        );
      },
    ],
  });
  sayHello(await app.listen({ port: 0 }));
}

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const ours = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    await stage.db.query('CREATE TABLE bench_tasks (LIKE tasks INCLUDING INDEXES)');
    await stage.db.query(readFileSync(new URL('./confirm-one.sql', import.meta.url), 'utf8'));
    const ground = await makeGround(ours.url, stage.db);
    const yardstick = await stage.start(import.meta.filename, 'yardstick', stage.databaseUrl);
    const hot = await compare(stage, ground, { ours, yardstick }, 1);
    const many = await compare(stage, ground, { ours, yardstick }, 1_000);
    print(hot, many);
  });
}

interface Comparison {
  readonly ours: LoadResult[];
  readonly yardstick: LoadResult[];
}

async function compare(
  stage: Stage,
  ground: Ground,
  servers: Record<'ours' | 'yardstick', Server>,
  orders: number,
): Promise<Comparison> {
  const found: Comparison = { ours: [], yardstick: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['ours', 'yardstick'] as const) {
      const next = await prepare(stage, ground, TASKS_A_ROUND[name], orders);
      if (name === 'yardstick') await copyTasks(stage);
      const result = await sendLoad({ url: servers[name].url, next, connections: CONNECTIONS, seconds: ROUND_SECONDS });
      if (round > 0) found[name].push(result); // the first round warms up
      progress(`${orders} order(s), ${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99.toFixed(1)} ms`);
    }
  }
  return found;
}

/** Creates users with an open task each, and returns the requests that confirm the tasks. */
async function prepare(stage: Stage, ground: Ground, users: number, orders: number): Promise<() => Buffer | undefined> {
  const firstOrder = await addOrders(stage.db, ground, orders);
  const firstUser = lastUser + 1;
  lastUser += users;
  await addOpenTasks(stage.db, ground, { firstUser, users, firstOrder, orders });
  let sent = 0;
  return () => {
    if (sent === users) return undefined;
    const body = { user_id: firstUser + sent, ads_id: firstOrder + (sent % orders) };
    sent += 1;
    return request('/api/v1/confirm-subscription', body, { Auth: ground.token });
  };
}

/** Copies the tasks into the yardstick's own table. */
async function copyTasks(stage: Stage): Promise<void> {
  await stage.db.query(
    `INSERT INTO bench_tasks (${TASK_COLUMNS}) SELECT ${TASK_COLUMNS} FROM all_tasks
     WHERE user_id > (SELECT coalesce(max(user_id), 0) FROM bench_tasks) AND state = 'shown'`,
  );
  await stage.db.query('ANALYZE bench_tasks');
}

function print(hot: Comparison, many: Comparison): void {
  const rate = (results: readonly LoadResult[]): number =>
    Math.round(median(results.map(({ perSecond }) => perSecond)));
  const p99 = (results: readonly LoadResult[]): number =>
    Math.round(median(results.map((result) => result.p99)) * 10) / 10;
  // Compares each round with the other server's round of the same turn, because the speed of a machine changes within
  // seconds.
  const ratio = ({ ours, yardstick }: Comparison): number =>
    Math.round(median(ours.map((result, i) => result.perSecond / (yardstick[i]?.perSecond ?? 0))) * 100) / 100;
  console.log('confirms per second over HTTP (p99 in ms), medians of 5 rounds\n');
  console.log('                      group commit        one call per request   ratio');
  for (const [name, found] of Object.entries({ 'one hot order': hot, '1,000 orders ': many })) {
    const [a, b] = [found.ours, found.yardstick];
    console.log(`${name}         ${rate(a)} (${p99(a)})           ${rate(b)} (${p99(b)})         ${ratio(found)}`);
  }
  const figures = { hot: ratio(hot), many: ratio(many), hotPerSecond: rate(hot.ours), manyPerSecond: rate(many.ours) };
  console.log(`\n${JSON.stringify({ name: 'confirm', ...figures, targets: TARGETS })}`);
  process.exitCode = figures.hot >= TARGETS.hot && figures.many >= TARGETS.many ? 0 : 1;
}
