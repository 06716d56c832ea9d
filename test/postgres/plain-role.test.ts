import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type OwnPostgres, postgresVersions, startOwnPostgres } from '../support/own-postgres.ts';
import { createPlainRole, goOn, useService } from '../support/plain-role.ts';
import { killAll } from '../support/process.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/backup.md');

let server: OwnPostgres | undefined;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-dump-'));
});
afterEach(async () => {
  await killAll();
  await server?.stop();
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a block of the guide unchanged. The test itself runs `doctor`, with its own PORT. */
async function follow(block: 'dump' | 'restore', tools: string, databaseUrl: string): Promise<void> {
  const marker = `<!-- tried by test/postgres/plain-role.test.ts: ${block} -->\n\`\`\`sh\n`;
  const guide = await readFile(GUIDE, 'utf8');
  const begin = guide.indexOf(marker) + marker.length;
  assert.ok(begin > marker.length, `the guide has no block "${block}"`);
  const script = guide.slice(begin, guide.indexOf('```', begin));
  const env = { PATH: `${tools}:${process.env.PATH}`, DATABASE_URL: databaseUrl, BACKUP: join(folder, 'dump') };
  const { stderr } = await promisify(execFile)('sh', ['-euc', script], { env });
  assert.equal(stderr, '');
}

for (const programs of postgresVersions()) {
  const { stdout } = await promisify(execFile)(join(programs.server, 'postgres'), ['--version']);
  test(`on ${stdout.trim()} the owner of an empty database can start, migrate, back up and restore the service`, async () => {
    server = await startOwnPostgres(programs);
    const role = await createPlainRole(server.url);
    const original = await role.createDatabase();
    const used = await useService(original);
    await follow('dump', programs.tools, original);
    const restored = await role.createDatabase();
    await follow('restore', programs.tools, restored);
    await goOn(restored, used);
    await rm(join(folder, 'dump'), { recursive: true, force: true });
  });
}
