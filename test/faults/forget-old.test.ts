import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forgetOldJob } from '../../src/composition/areas/retention.ts';
import { MoneyDesk } from '../support/money-desk.ts';

const NEVER = new AbortController().signal;

let desk: MoneyDesk;
before(async () => {
  desk = await MoneyDesk.open();
});
after(() => desk.close());

test('a table that cannot be cleaned does not stop the others and is logged', async () => {
  const { db } = desk.database;
  const logged: object[] = [];
  const job = forgetOldJob({
    db,
    clock: desk.clock,
    log: { info: (details) => logged.push(details) },
  });
  const { accountId } = await desk.person();
  const at = desk.clock.now();
  await db.query("INSERT INTO idempotency_keys VALUES ($1, 'a key', '\\x00', '{}', $2)", [accountId, at]);
  await db.query('INSERT INTO bot_dialogues (telegram_user_id, updated_at) VALUES (1, $1)', [at]);
  desk.clock.advance(401 * 24 * 60 * 60);
  await db.query('ALTER TABLE audience_values RENAME TO hidden_values');
  await db.query('ALTER TABLE daily_shown RENAME TO hidden_shown');

  await assert.rejects(job.run(NEVER), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(
      error.errors.map(({ message }: Error) => message),
      ['relation "audience_values" does not exist', 'relation "daily_shown" does not exist'],
    );
    return true;
  });
  assert.deepEqual(logged, [{ forgotten: { answers: 1, dialogues: 1 } }]);

  await db.query('ALTER TABLE hidden_values RENAME TO audience_values');
  await db.query('ALTER TABLE hidden_shown RENAME TO daily_shown');
  await job.run(NEVER);
  assert.equal(logged.length, 1, 'when nothing was old, nothing is said');
});

test('a worker that gets a stop signal starts no further table', async () => {
  const { db } = desk.database;
  const job = forgetOldJob({ db, clock: desk.clock, log: { info: () => assert.fail() } });
  const { accountId } = await desk.person();
  await db.query("INSERT INTO idempotency_keys VALUES ($1, 'a key', '\\x00', '{}', '2000-01-01')", [accountId]);
  await job.run(AbortSignal.abort());
  assert.equal((await db.query('SELECT 1 FROM idempotency_keys')).length, 1);
});
