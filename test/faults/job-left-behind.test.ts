import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JobRunner, startJobs } from '../../src/jobs/index.ts';
import { query } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const silent = { info: () => undefined, error: () => undefined };

/**
 * Found by the campaign. A worker that dies in the middle of a sweep leaves a job that looks as if it were under way.
 * Others noticed it by its silence, and then remembered for another minute that the queue was busy.
 */
test('a sweep whose job was left behind runs again within 50 seconds, in a worker that remembers it as under way', async (t) => {
  const database = await createEmptyDatabase();
  let second: JobRunner | undefined;
  t.after(async () => {
    await second?.stop();
    await database.drop();
  });
  let runs = 0;
  const sweeps = [
    {
      name: 'look',
      cron: '0 0 1 1 *',
      everySeconds: 2,
      run: async () => {
        runs += 1;
      },
    },
  ];
  const first = await startJobs(database.url, sweeps, silent);
  await eventually('it runs', () => runs > 0, { withinMs: 30_000 });
  await first.stop();

  // The last words of a worker that was killed: a job under way, and a note that says so.
  await query(database.url, "DELETE FROM jobs.job WHERE name = 'look'");
  await query(
    database.url,
    `INSERT INTO jobs.job (name, state, policy, started_on, heartbeat_on, heartbeat_seconds, retry_limit, expire_seconds)
     SELECT name, 'active', policy, now(), now() - interval '15 s', heartbeat_seconds, retry_limit, expire_seconds FROM jobs.queue
     WHERE name = 'look'`,
  );
  await query(database.url, "UPDATE jobs.queue SET singletons_active = '{NULL}' WHERE name = 'look'");
  runs = 0;
  second = await startJobs(database.url, sweeps, silent);
  await eventually('the sweep runs again', () => runs > 0, { withinMs: 50_000, everyMs: 100 });
  assert.ok(runs > 0);
});
