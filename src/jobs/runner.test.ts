import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventually, gate } from '../../test/support/eventually.ts';
import { type Job, type JobRunner, startJobs } from './index.ts';

const NAME = 'count-something';

describe('jobs', () => {
  let database: TestDatabase;
  const runners: JobRunner[] = [];
  const errors: object[] = [];
  const log = { error: (details: object) => void errors.push(details) };

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(() => database.db.query('DELETE FROM jobs'));
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    errors.length = 0;
  });

  const start = async (run: Job['run'], everySeconds = 3600): Promise<JobRunner> => {
    const runner = await startJobs({ db: database.db, jobs: [{ name: NAME, everySeconds, run }], log });
    runners.push(runner);
    return runner;
  };
  const row = async (): Promise<{ is_due: boolean; is_leased: boolean } | undefined> =>
    (
      await database.db.query<{ is_due: boolean; is_leased: boolean }>(
        'SELECT due_at <= now() AS is_due, lease_id IS NOT NULL AS is_leased FROM jobs',
      )
    )[0];

  it('run in only one of two processes when they are due', async () => {
    let runs = 0;
    const count = async (): Promise<void> => {
      runs += 1;
    };
    await Promise.all([start(count), start(count)]);
    await eventually('the job has run and waits', async () => (await row())?.is_due === false);
    assert.equal(runs, 1);
    assert.deepEqual(await row(), { is_due: false, is_leased: false });
  });

  it('run again after their pause', async () => {
    let runs = 0;
    await start(async () => {
      runs += 1;
    }, 0.1);
    await eventually('the job has run three times', () => runs >= 3);
  });

  it('run in another process when their lease runs out', async () => {
    await database.db.query(
      `INSERT INTO jobs (name, lease_id, leased_until) VALUES ($1, gen_random_uuid(), now() + interval '1 s')`,
      [NAME],
    );
    let runs = 0;
    await start(async () => {
      runs += 1;
    });
    await eventually('the job has run', () => runs === 1);
  });

  it('stop when another process takes over their lease', async () => {
    const stopped = gate();
    await start(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped.open();
    });
    await eventually('the job is leased', async () => (await row())?.is_leased === true);
    await database.db.query(`UPDATE jobs SET lease_id = gen_random_uuid(), leased_until = now() + interval '1 hour'`);
    await stopped.promise;
    assert.equal((await row())?.is_leased, true, "the other process's lease is untouched");
  });

  it('are logged and retried when they fail', async () => {
    let runs = 0;
    await start(async () => {
      runs += 1;
      if (runs === 1) throw new Error('no luck');
    }, 0.1);
    await eventually('the job has run again', () => runs >= 2);
    assert.match(JSON.stringify(errors), new RegExp(NAME));
  });

  it('are due at once for other processes when their process stops during a run', async () => {
    const begun = gate();
    const runner = await start(async (signal) => {
      begun.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await begun.promise;
    await runner.stop();
    assert.deepEqual(await row(), { is_due: true, is_leased: false });
  });
});
