import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type OwnPostgres, postgresVersions, startOwnPostgres } from '../support/own-postgres.ts';
import { createPlainRole, goOn, useService } from '../support/plain-role.ts';
import { killAll, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';
import { checkOutPrevious, type PreviousVersion } from '../upgrade/previous-version.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/backup.md');

const DAY_SECONDS = 24 * 60 * 60;

let server: OwnPostgres | undefined;
let previous: PreviousVersion;
let folder: string;
before(async () => {
  previous = await checkOutPrevious();
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-dump-'));
});
afterEach(async () => {
  await killAll();
  await server?.stop();
});
after(async () => {
  await previous.remove();
  await rm(folder, { recursive: true, force: true });
});

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
  const { tools } = programs;
  const version = execFileSync(join(programs.server, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();

  test(`on ${version} the owner of a database of the previous version migrates it, and every balance stays`, async () => {
    server = await startOwnPostgres(programs);
    const role = await createPlainRole(server.url);
    const database = await role.createDatabase();
    const old = await startProcess({ DATABASE_URL: database }, 'started', previous.bin);
    await old.sandbox.pauseAllOrders();
    const { token } = await old.sandbox.publisher();
    const order = await old.sandbox.advertise({ price_per_sub: 10, quantity: 5, hold_hours: 24 });
    assert.equal((await old.sandbox.subscribe(token, order, freshUser())).credit_status, 'hold');
    await old.sandbox.advance(DAY_SECONDS);
    const { balance } = await old.sandbox.money(token);
    assert.equal(balance, 7);
    assert.equal((await old.end('SIGTERM')).code, 0);
    await goOn(database, { token, balance });
  });

  if (tools === undefined) {
    test(`on ${version} the owner of an empty database can start, migrate and use the service`, async () => {
      server = await startOwnPostgres(programs);
      const database = await (await createPlainRole(server.url)).createDatabase();
      await goOn(database, await useService(database));
    });
    continue;
  }
  test(`on ${version} the owner of an empty database can start, migrate, back up and restore the service`, async () => {
    server = await startOwnPostgres(programs);
    const role = await createPlainRole(server.url);
    const original = await role.createDatabase();
    const used = await useService(original);
    await follow('dump', tools, original);
    const restored = await role.createDatabase();
    await follow('restore', tools, restored);
    await goOn(restored, used);
    await rm(join(folder, 'dump'), { recursive: true, force: true });
  });
}
