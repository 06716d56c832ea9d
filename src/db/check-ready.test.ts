import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable, type Queryable } from '../core/database.ts';
import { checkReady } from './database.ts';

const answering = (rows: () => Promise<readonly object[]>): Queryable => ({
  query: async <Row extends object>() => (await rows()) as Row[],
});

test('a primary is ready; a standby, an unreachable database and a database that does not reply are not', async () => {
  await checkReady(answering(async () => [{ is_standby: false }]));
  await assert.rejects(checkReady(answering(async () => [{ is_standby: true }])), /standby/);
  const away = answering(() => Promise.reject(new DatabaseUnavailable('database: away')));
  await assert.rejects(checkReady(away), /away/);
  const silent = answering(() => new Promise(() => undefined));
  await assert.rejects(checkReady(silent), DatabaseUnavailable);
});
