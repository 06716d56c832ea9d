import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { tick } from '../support/workers.ts';
import { useService } from './use-service.ts';

const service = useService();

test('the jobs of a running service continue after a reset', async () => {
  const { sandbox, database } = service;
  const isDue = () =>
    query<{ is_due: boolean }>(database.url, "SELECT due_at <= now() AS is_due FROM jobs WHERE name = 'verify-ledger'");
  await sandbox.control('POST', '/reset');
  assert.equal((await isDue()).length, 1, 'the job is still there');
  await tick(database.url, 'verify-ledger');
  await eventually('the job has run', async () => (await isDue())[0]?.is_due === false);
});
