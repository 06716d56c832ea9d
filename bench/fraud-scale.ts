/**
 * Measures one run of the hourly scoring with a million users. `npm run bench -- fraud-scale`, or `node
 * bench/fraud-scale.ts --users 100000` for fewer. `--profile` prints the time of each statement.
 *
 * `fraud/fill-scale.ts` fills the tables. At the end the service answers requests for tasks and confirms at a fixed rate
 * on the same database, without scoring and during a run, to show what a run costs the requests.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import type { Database, Queryable } from '../src/core/database.ts';
import { migrate, type OpenDatabase, serviceMigrations } from '../src/db/index.ts';
import { scoreSources } from '../src/modules/quality/index.ts';
import { sandboxMigrations } from '../src/sandbox/index.ts';
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { fillScale } from './fraud/fill-scale.ts';
import { GOALS } from './fraud/parameters.ts';
import { confirmTasks, showTasks } from './get-sponsors-load.ts';
import { type Percentiles, sendLoad } from './load.ts';
import { onStage, progress, type Stage, serveOurs } from './stage.ts';

const { values } = parseArgs({
  allowPositionals: true, // those of the server's process
  options: { users: { type: 'string', default: '1000000' }, profile: { type: 'boolean', default: false } },
});
const users = Number(values.users);
if (!Number.isInteger(users) || users < 1) throw new Error('--users is a number of users');
const RUNS = 2;
const REQUESTS_PER_SECOND = 200;
const REQUEST_SECONDS = 15;

const [, , role, databaseUrl = ''] = process.argv;
if (role === 'ours') await serveOurs(databaseUrl);
else await onStage(measure);

async function measure(stage: Stage): Promise<void> {
  const { db } = stage;
  await migrate(stage.databaseUrl, [sandboxMigrations, serviceMigrations]);
  const now = new Date('2026-05-31T12:00:00Z');
  const begin = performance.now();
  const subscriptions = await fillScale(db, users, now);
  progress(`${users} users with ${subscriptions} subscriptions, filled in ${secondsSince(begin)} s`);
  const scored = values.profile ? profiled(db) : db;
  const { quality: settings } = readConfig({});
  const seconds: number[] = [];
  // The second run finds the scores and signals of the first, as every run after the first hour does.
  for (let run = 1; run <= RUNS; run++) {
    const start = performance.now();
    await scoreSources({ db: scored, clock: { now: () => now }, settings });
    seconds.push(secondsSince(start));
    progress(`scoring ${run} of ${RUNS}: ${seconds.at(-1)} s`);
  }
  const slowest = Math.max(...seconds);
  const { alone, during } = await measureRequests(stage, () =>
    scoreSources({ db, clock: { now: () => now }, settings }),
  );
  const levels = await db.query<{ level: string; bots: bigint }>(
    'SELECT level, count(*) AS bots FROM bot_quality GROUP BY 1 ORDER BY 1',
  );
  console.log(`levels: ${levels.map(({ level, bots }) => `${bots} ${level}`).join(', ')}`);
  const isReached = slowest <= GOALS.scoringSeconds;
  console.log(`${isReached ? '✔' : '✗'} scoring of ${users} users: ${slowest} s (goal ≤ ${GOALS.scoringSeconds} s)`);
  for (const [name, { shows, confirms }] of Object.entries({ alone, 'during scoring': during })) {
    console.log(`requests ${name}: get-sponsors ${latency(shows)}, confirm ${latency(confirms)}`);
  }
  console.log(`\n${JSON.stringify({ name: 'fraud-scale', users, subscriptions, seconds, alone, during, isReached })}`);
  process.exitCode = isReached ? 0 : 1;
}

interface Requests {
  readonly shows: Percentiles;
  readonly confirms: Percentiles;
}

function latency({ p50, p99 }: Percentiles): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** Sends first requests of users for tasks, and confirms on one hot order, without scoring and then during a run. */
async function measureRequests(
  stage: Stage,
  score: () => Promise<unknown>,
): Promise<{ readonly alone: Requests; readonly during: Requests }> {
  const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
  const ground = await makeGround(server.url, stage.db);
  const firstOrder = await addOrders(stage.db, ground, 100);
  await reloadBook(stage.db, 100);
  let firstUser = 7_000_000_000;
  const send = async (): Promise<Requests> => {
    const count = REQUESTS_PER_SECOND * REQUEST_SECONDS;
    const confirms = await confirmTasks(stage.db, ground, { firstUser, users: count, firstOrder, orders: 1 });
    firstUser += count;
    const load = { url: server.url, connections: 32, seconds: REQUEST_SECONDS, rate: REQUESTS_PER_SECOND };
    const [shown, confirmed] = await Promise.all([
      sendLoad({ ...load, next: showTasks(ground) }),
      sendLoad({ ...load, next: confirms }),
    ]);
    const { p50, p99 } = shown;
    return { shows: { p50, p99 }, confirms: { p50: confirmed.p50, p99: confirmed.p99 } };
  };
  await send(); // warms up
  const alone = await send();
  const scoring = score();
  const during = await send();
  await scoring;
  return { alone, during };
}

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 100) / 10;
}

/** Returns the database with the time of each statement on the error output. */
function profiled(db: OpenDatabase): Database {
  const timed = <Part extends Queryable>(part: Part): Part => ({
    ...part,
    async query<Row extends object>(sql: string, params?: readonly unknown[]) {
      const begin = performance.now();
      const rows = await part.query<Row>(sql, params);
      progress(`${Math.round(performance.now() - begin)} ms  ${sql.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
      return rows;
    },
  });
  return { ...timed(db), session: (name, work) => db.session(name, (session) => work(timed(session))) };
}
