import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { query } from '../support/books.ts';
import { type DebianPostgres, POSTGRES_15_BIN, startDebianPostgres } from '../support/debian-postgres.ts';
import { createPlainRole, goOn, type PlainRole, useService } from '../support/plain-role.ts';
import { killAll } from '../support/process.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/backup.md');

let server: DebianPostgres;
let role: PlainRole;
let folder: string;
before(async () => {
  server = await startDebianPostgres();
  role = await createPlainRole(server.url);
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-dump-'));
});
after(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});

/** Runs a block of the guide as it stands there. `doctor` is run by the test itself, with a PORT of its own. */
async function follow(block: 'dump' | 'restore', databaseUrl: string): Promise<void> {
  const marker = `<!-- tried by test/postgres15/plain-role.test.ts: ${block} -->\n\`\`\`sh\n`;
  const guide = await readFile(GUIDE, 'utf8');
  const begin = guide.indexOf(marker) + marker.length;
  assert.ok(begin > marker.length, `the guide has no block "${block}"`);
  const script = guide.slice(begin, guide.indexOf('```', begin));
  const env = {
    PATH: `${POSTGRES_15_BIN}:${process.env.PATH}`,
    DATABASE_URL: databaseUrl,
    BACKUP: join(folder, 'dump'),
  };
  const { stderr } = await promisify(execFile)('sh', ['-euc', script], { env, timeout: 60_000 });
  assert.equal(stderr, '');
}

test('on PostgreSQL 15 the owner of an empty database starts, migrates, backs up and restores', async () => {
  const [{ version } = { version: '' }] = await query<{ version: string }>(
    server.url,
    "SELECT current_setting('server_version') AS version",
  );
  assert.match(version, /^15\./);
  const original = await role.createDatabase();
  const used = await useService(original);
  await follow('dump', original);
  const restored = await role.createDatabase();
  await follow('restore', restored);
  await goOn(restored, used);
});
