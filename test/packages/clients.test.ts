import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['typescript', 'grammy', 'telegraf'];
/** The oldest supported version, one before and one after typed arrays got a parameter, and the last before 7. */
const TYPESCRIPT = ['5.0', '5.4', '5.9'];
const TOOLS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

/** A project outside of the repository, in which npm has installed the packed clients and the tools. */
let project: string;
let tarballs: string[];

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'sponsorgate-clients-'));
  const packed = join(project, 'packed');
  await mkdir(packed);
  for (const folder of FOLDERS) {
    await run('npm', ['pack', '--silent', '--pack-destination', packed], join(ROOT, 'clients', folder));
  }
  tarballs = (await readdir(packed)).map((name) => join(packed, name));
  await writeFile(join(project, 'package.json'), '{"private": true, "type": "module"}');
  const compilers = TYPESCRIPT.map((version) => `typescript-${version}@npm:typescript@${version}`);
  // The types of grammY import those of Node and node-fetch.
  const frameworks = ['grammy@1', 'telegraf@4', '@types/node@20', '@types/node-fetch@2'];
  await run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...tarballs,
    ...frameworks,
    ...TOOLS,
    ...compilers,
  ]);
  await writeFile(join(project, 'report.ts'), REPORT);
  await writeFile(join(project, 'bots.ts'), BOTS);
});
after(() => rm(project, { recursive: true, force: true }));

const REPORT = `
import { createClient, SponsorgateError, verifyWebhook } from '@sponsorgate/client';

export async function report(): Promise<string> {
  const client = createClient({ baseUrl: 'https://example.com', token: 'at_x' });
  const { status, sponsors } = await client.getSponsors({ user_id: 1 });
  const narrowed: 'ok' | 'warning' = status;
  const event = await verifyWebhook({ secret: 'whsec_eA==', headers: new Headers(), body: '' });
  if (event.type === 'payout.sent') return String(event.data.amount);
  const error = new SponsorgateError({ status: 404, code: 'order_not_found', message: 'x' });
  return narrowed + String(sponsors.length) + String(error.requestId);
}
`;

const BOTS = `
import { createClient } from '@sponsorgate/client';
import { sponsorGate as gateOfGrammy } from '@sponsorgate/grammy';
import { sponsorGate as gateOfTelegraf } from '@sponsorgate/telegraf';
import { Bot } from 'grammy';
import { Telegraf } from 'telegraf';

const client = createClient({ baseUrl: 'https://example.com', token: 'at_x' });
new Bot('1:x').use(gateOfGrammy({ client, onPassed: (ctx, next) => (ctx.from === undefined ? undefined : next()) }));
new Telegraf('1:x').use(gateOfTelegraf({ client, skip: (ctx) => ctx.from?.id === 1 }));
`;

async function run(command: string, args: readonly string[], cwd = project): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 300_000, maxBuffer: 1e8 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

const tool = (path: string, args: readonly string[]): Promise<string> =>
  run(process.execPath, [join(project, 'node_modules', path), ...args]);

for (const version of TYPESCRIPT) {
  test(`TypeScript ${version} checks programs with the packages without skipLibCheck`, async () => {
    for (const module of [
      ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ]) {
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
      await tool(`typescript-${version}/lib/tsc.js`, [...module, ...options, 'report.ts', 'bots.ts']);
    }
  });
}

test('publint and attw find no fault in the packed clients', async () => {
  assert.equal(tarballs.length, FOLDERS.length);
  for (const tarball of tarballs) {
    await tool('publint/src/cli.js', [tarball, '--strict']);
    await tool('@arethetypeswrong/cli/dist/index.js', [tarball]);
  }
});
