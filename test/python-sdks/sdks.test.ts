import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'sdks.py');
const SDKS = ['aiosubgram==1.0.1', 'flyerapi==1.3.3', 'aiohttp==3.13.2'];
const LIMIT_MS = 600_000;

let folder: string;
let service: TestService | undefined;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-sdks-'));
  service = await startTestService();
});
after(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the real SDKs of SubGram and Flyer work against the sandbox: gate, subscribe, pass, leave, webhook', async () => {
  // A Python that has the SDKs already saves the installation.
  const python = process.env.SPONSORGATE_TEST_PYTHON ?? join(folder, 'bin/python');
  if (process.env.SPONSORGATE_TEST_PYTHON === undefined) {
    await run('python3', ['-m', 'venv', folder], { timeout: LIMIT_MS });
    await run(python, ['-m', 'pip', 'install', '--quiet', ...SDKS], { timeout: LIMIT_MS });
  }
  const { stdout } = await run(python, [SCRIPT, service?.url ?? ''], { timeout: LIMIT_MS });
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).passed),
    ['check_subgram', 'check_flyer'],
  );
});
