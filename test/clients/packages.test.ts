import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const PACKAGES = { client: 'typescript', grammy: 'grammy', telegraf: 'telegraf' };

/** A publisher's project with the built packages installed as by npm, without access to this repository. */
let project: string;

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'sponsorgate-packages-'));
  for (const [name, folder] of Object.entries(PACKAGES)) {
    const installed = join(project, 'node_modules/@sponsorgate', name);
    await mkdir(installed, { recursive: true });
    await copyFile(join(ROOT, 'clients', folder, 'package.json'), join(installed, 'package.json'));
    await run([join(ROOT, 'clients/build.ts'), folder, join(installed, 'dist')]);
  }
  for (const framework of ['grammy', 'telegraf']) {
    await symlink(join(ROOT, 'node_modules', framework), join(project, 'node_modules', framework), 'junction');
  }
  await writeFile(join(project, 'bot.cjs'), COMMON_JS);
  await writeFile(join(project, 'package.json'), '{"type": "module", "private": true}');
  await writeFile(join(project, 'bot.ts'), BOT);
  await writeFile(join(project, 'report.ts'), REPORT);
});
after(() => rm(project, { recursive: true, force: true }));

const BOT = `
import { Bot } from 'grammy';
import { createClient, SponsorgateError } from '@sponsorgate/client';
import { sponsorGate } from '@sponsorgate/grammy';

const bot = new Bot('42:token');
const client = createClient({ baseUrl: 'https://example.com', token: 'at_x' });
bot.use(sponsorGate({ client, onPassed: (ctx) => ctx.reply('Welcome!'), skip: (ctx) => ctx.from?.id === 1 }));
console.log(typeof bot.use, typeof sponsorGate, SponsorgateError.name);
`;

const COMMON_JS = `
const { createClient } = require('@sponsorgate/client');
const { sponsorGate } = require('@sponsorgate/grammy');
const { sponsorGate: telegrafGate } = require('@sponsorgate/telegraf');
console.log(typeof createClient, typeof sponsorGate, typeof telegrafGate);
`;

const REPORT = `
import { type SponsorgateClient, verifyWebhook } from '@sponsorgate/client';

export async function report(client: SponsorgateClient): Promise<number> {
  const { status, sponsors } = await client.getSponsors({ user_id: 1, username: undefined });
  const event = await verifyWebhook({ secret: 'whsec_eA==', headers: new Headers(), body: '' });
  if (event.type === 'payout.sent') return event.data.amount;
  for await (const order of client.orders.all()) return order.order_id + sponsors.length + status.length;
  // @ts-expect-error a body without its required field
  await client.confirmSubscription({ user_id: 1 });
  return (await client.statistic.bots()).subscriptions.length;
}
`;

async function run(args: readonly string[], cwd = ROOT): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${args.join(' ')}\n${output}`);
  return output;
}

test('the built packages load and import only declared dependencies', async () => {
  assert.equal(await run([join(project, 'bot.ts')], project), 'function function SponsorgateError\n');
  assert.equal(await run([join(project, 'bot.cjs')], project), 'function function function\n');
  for (const folder of Object.values(PACKAGES)) {
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'clients', folder, 'package.json'), 'utf8'));
    assert.equal(dependencies, undefined, `${folder} has no dependencies`);
  }
});

test('the type declarations import only files that older versions of TypeScript can read', async () => {
  const files = globSync(join(project, 'node_modules/@sponsorgate/*/dist/**/*.d.ts'));
  assert.ok(files.length > 20);
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /from '[^']+\.ts'|Uint8Array</, file);
  }
});

test("the types check a publisher's program", async () => {
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
  ];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  await run([TSC, ...options, ...types, 'report.ts'], project);
  // grammY's own type declarations do not compile without `skipLibCheck`.
  await run([TSC, ...options, ...types, '--skipLibCheck', 'bot.ts'], project);
});
