import assert from 'node:assert/strict';
import type { TestService } from '../support/service.ts';

/** The exact `detail` of every status, from section 7 of the contract. */
const DETAILS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Invalid or inactive Bot API Key',
  404: 'Bot not found',
  422: 'Validation error',
  429: 'Too Many Requests',
};

/** Asserts a refusal with this status in the common error format. A 422 must name the invalid field. */
export async function assertRefused(response: Response, status: number, what: string, field?: string): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, `${what}: ${text.slice(0, 300)}`);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/, what);
  const body = JSON.parse(text) as Record<string, unknown>;
  assert.equal(body.detail, DETAILS[status], what);
  assert.match(String(body.code), /^[a-z_]+$/, what);
  assert.ok(typeof body.message === 'string' && body.message !== '', what);
  if (status === 422) {
    assert.ok(Array.isArray(body.errors) && body.errors.length > 0, what);
    const errors = body.errors as { field: string; message: string }[];
    for (const error of errors) assert.deepEqual(Object.keys(error).sort(), ['field', 'message'], what);
    const names = errors.map((error) => error.field);
    const isNamed = field === undefined || names.some((name) => name.split('.')[0] === field);
    assert.ok(isNamed, `${what} blames ${names}`);
  }
  assert.doesNotMatch(text, /node_modules|src\/|\.ts:|at async/, `${what} shows our insides`);
}

/** Returns the row counts of the tables that the task flow writes. */
export async function countRows({ database }: Pick<TestService, 'database'>): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {};
  for (const table of ['tasks', 'task_lists', 'ledger_transfers', 'counted_subscriptions', 'memberships']) {
    const [row] = await database.db.query<{ count: bigint }>(`SELECT count(*) AS count FROM ${table}`);
    counts[table] = row?.count ?? -1n;
  }
  return counts;
}
