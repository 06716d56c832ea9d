/**
 * Measures one run of the hourly scoring with a million users. `npm run bench -- fraud-scale`, or `node
 * bench/fraud-scale.ts --users 100000` for fewer. `--profile` prints the time of each statement.
 *
 * `fraud/fill-scale.ts` fills the tables.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import type { Database, Queryable } from '../src/core/database.ts';
import { migrate, type OpenDatabase, serviceMigrations } from '../src/db/index.ts';
import { scoreSources } from '../src/modules/quality/index.ts';
import { sandboxMigrations } from '../src/sandbox/index.ts';
import { fillScale } from './fraud/fill-scale.ts';
import { GOALS } from './fraud/parameters.ts';
import { onStage, progress } from './stage.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, profile: { type: 'boolean', default: false } },
});
const users = Number(values.users);
if (!Number.isInteger(users) || users < 1) throw new Error('--users is a number of users');
const RUNS = 2;

await onStage(async ({ db, databaseUrl }) => {
  await migrate(databaseUrl, [sandboxMigrations, serviceMigrations]);
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
  const levels = await db.query<{ level: string; bots: bigint }>(
    'SELECT level, count(*) AS bots FROM bot_quality GROUP BY 1 ORDER BY 1',
  );
  console.log(`levels: ${levels.map(({ level, bots }) => `${bots} ${level}`).join(', ')}`);
  const isReached = slowest <= GOALS.scoringSeconds;
  console.log(`${isReached ? '✔' : '✗'} scoring of ${users} users: ${slowest} s (goal ≤ ${GOALS.scoringSeconds} s)`);
  console.log(`\n${JSON.stringify({ name: 'fraud-scale', users, subscriptions, seconds, isReached })}`);
  process.exitCode = isReached ? 0 : 1;
});

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
