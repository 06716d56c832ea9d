import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';

const ROOT = join(import.meta.dirname, '../..');
let folder: string;
let service: ChildProcess | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-npx-'));
});
after(async () => {
  const group = service?.pid;
  if (group !== undefined) {
    process.kill(-group, 'SIGTERM');
    // npx ends before the service, which still stops its PostgreSQL.
    await eventually('the service has ended', () => !isRunning(group));
  }
  await rm(folder, { recursive: true, force: true });
});

test('npx starts the sandbox from the packed tarball in an empty folder', async () => {
  await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, timeout: 300_000 });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  let output = '';
  // A group of its own, so that npx and the service below it end together.
  service = spawn('npx', ['--yes', `--package=${join(folder, tarball)}`, 'sponsorgate'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PORT: '0', npm_config_loglevel: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  const address = (): string | undefined => /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0];
  await eventually('the service prints its address', () => {
    assert.equal(service?.exitCode, null, output);
    return address() !== undefined;
  });
  const url = address() ?? '';
  await eventually('the service is ready', async () => (await get(`${url}/api/v1/health`)).status === 200);
  const page = await get(`${url}/`);
  assert.equal(page.status, 200, output);
  const html = await page.text();
  const script = /src="([^"]+\.ts)"/.exec(html)?.[1];
  assert.ok(script, 'the sandbox page loads its script');
  assert.equal((await get(new URL(script, url).href)).status, 200);
});

function isRunning(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

const get = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(30_000) });
