import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startOn } from '../support/service.ts';
import { useService } from './use-service.ts';

const service = useService();

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly request_id?: string;
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
}

const INFO = 30;
const WARN = 40;
const ERROR = 50;

/** Returns all log lines of a request. Waits for the line that reports its response. */
async function linesOf(logs: () => string, requestId: string): Promise<Line[]> {
  const read = (): Line[] => {
    const lines = logs().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line)).filter((line: Line) => line.request_id === requestId);
  };
  await eventually('the answer is logged', () => read().some(({ msg }) => msg === 'answered'));
  return read();
}

test('every response has a request id, sent or generated, and the log contains the same id', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const sent = 'trace-0123456789abcdef';
  const echoed = await sandbox.call('POST', '/api/v1/get-balance', {}, { auth: token, 'x-request-id': sent });
  assert.equal(echoed.headers.get('x-request-id'), sent);
  const [line] = await linesOf(service.logs, sent);
  assert.deepEqual([line?.msg, line?.route, line?.status], ['answered', '/api/v1/get-balance', 200]);
  assert.ok((line?.ms ?? -1) >= 0);

  const given = new Set<string | null>();
  for (const path of ['/api/v1/health', '/nowhere', '/l/%ff', '/sandbox/state', '/statistic']) {
    given.add((await sandbox.call('GET', path)).headers.get('x-request-id'));
  }
  assert.ok(!given.has(null));
  assert.equal(given.size, 5, 'all different');
});

test('a request id is replaced when it has a bad length, contains invalid characters or is a token', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const sent of ['short', 'x'.repeat(65), 'with space in it', 'quote"quote', '<script>alert(1)', token]) {
    const { headers } = await sandbox.call('GET', '/api/v1/health', undefined, { 'x-request-id': sent });
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, sent);
  }
  assert.ok(!service.logs().includes(token));
});

test('a refused request of a known bot is logged at info, and requests of unknown callers are not', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const ask = async (path: string, headers: Record<string, string>): Promise<readonly Line[]> => {
    const { headers: answered } = await sandbox.call('POST', path, {}, headers);
    const lines = await linesOf(service.logs, answered.get('x-request-id') ?? '');
    return lines.filter(({ level }) => level >= INFO);
  };
  assert.deepEqual(
    (await ask('/api/v1/get-sponsors', { auth: token })).map(({ level, status }) => [level, status]),
    [[INFO, 422]],
  );
  assert.deepEqual(await ask('/api/v1/get-sponsors', { auth: 'at_wrong' }), []);
  assert.deepEqual(await ask('/nowhere', {}), []);
});

test('a 500 response contains the request id under which the error is logged', async () => {
  const database = await createTestDatabase();
  const running = await startOn(database.url, { ROLES: 'api' });
  try {
    const { token } = await running.sandbox.publisher();
    assert.equal((await running.sandbox.api(token, 'get-balance', {})).status, 200);
    await database.db.query('ALTER TABLE ledger_accounts RENAME TO lost');
    const { status, headers, body } = await running.sandbox.api(token, 'get-balance', {});
    assert.deepEqual([status, body.code, body.detail], [500, 'internal_error', 'Internal Server Error']);
    assert.equal(body.request_id, headers.get('x-request-id'));
    const lines = await linesOf(running.logs, body.request_id);
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [
        [ERROR, 'request failed'],
        [WARN, 'answered'],
      ],
    );
  } finally {
    await running.stop();
    await database.drop();
  }
});
