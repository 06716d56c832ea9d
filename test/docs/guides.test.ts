import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type CodeBlock, codeBlocks, inlineCode, ROOT, readPage, readPages } from './pages.ts';
import { openShell, type Shell } from './shell.ts';

/** The address that the guides use; the tests replace it by that of their service. */
const GUIDE_URL = 'http://127.0.0.1:8080';
let service: TestService;
let shell: Shell;

before(async () => {
  service = await startTestService();
});
beforeEach(async (context) => {
  await service.sandbox.control('POST', '/reset');
  shell = openShell();
  if ('after' in context) context.after(() => shell.close());
});
after(() => service.stop());

test('the commands of publisher.md work as printed, in their order', async () => {
  await runGuide('docs/guides/publisher.md');
});

test('the programs of publisher.md let a user in who has joined everything', async () => {
  const blocks = codeBlocks(readPage('docs/guides/publisher.md').text);
  const joinAll = blocks.filter(({ language }) => language === 'sh').at(-1)?.code ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-guide-'));
  try {
    const token = (await service.sandbox.control('GET', '/state')).bots[0].api_token;
    await shell.run(
      `URL=${service.url} SPONSORGATE_URL=$URL SPONSORGATE_TOKEN=${token}; export SPONSORGATE_URL SPONSORGATE_TOKEN`,
    );
    for (const [language, start, userId] of [
      ['python', 'python3', 100001],
      ['ts', process.execPath, 100003],
    ] as const) {
      const program = join(folder, `gate.${language === 'python' ? 'py' : 'ts'}`);
      await writeFile(program, blocks.find((block) => block.language === language)?.code ?? '');
      // A user who joined before the first showing is no new subscriber and gets no task.
      await service.sandbox.getSponsors(token, userId);
      await shell.run(joinAll.replaceAll('100001', String(userId)));
      const output = await shell.run(`while sleep 0.2; do echo; done | ${start} ${program} ${userId}`);
      assert.match(output, /task 3: counted, 4\.2 RUB/);
      assert.match(output, /Welcome in!\n$/);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the commands of ten-minutes.md work as printed, in their order', async () => {
  const bot = spawn(process.execPath, [join(ROOT, 'examples/gated-bot/bot.ts')], {
    env: { SPONSORGATE_URL: service.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let printed = '';
    bot.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await eventually('the example bot runs', () => printed.includes('is running'));
    const name = /@(\w+) is running/.exec(printed)?.[1] ?? '';
    await runGuide('docs/guides/ten-minutes.md', (text) => text.replaceAll('sandbox_f9039b2f2d_bot', name));
  } finally {
    bot.kill('SIGTERM');
    await once(bot, 'close');
  }
});

test('the commands of sandbox.md take a task to money and back', async () => {
  const outputs = await runGuide('docs/guides/sandbox.md');
  const printed = outputs.at(-1) ?? '';
  const confirmed = codeBlocks(readPage('docs/guides/sandbox.md').text)
    .find(({ language }) => language === 'json')
    ?.code.trim();
  // Twice for Anna, once for Grace.
  assert.equal(printed.split(confirmed ?? 'missing').length - 1, 3, printed);
  assert.equal(printed.split('"balance":4.2,"hold_balance":0').length - 1, 2, printed);
  assert.match(printed, /"balanced":true,"total_kopecks":0/);
});

test('every metric and batcher that the documentation mentions exists, and operations.md explains all of them', async () => {
  // One subscription goes through most batchers.
  const { bots, orders } = await service.sandbox.control('GET', '/state');
  const { order_id: orderId, chat_id: chatId } = orders.find((order: { order_id: number }) => order.order_id === 3);
  await service.sandbox.subscribe(bots[0].api_token, { accountId: 0, orderId, chatId }, 100001);
  const exposed = await (await fetch(`${service.url}/metrics`)).text();
  // Exists only with REDIS_URL.
  const existing = new Set([...names(exposed, /^# TYPE (sponsorgate_\w+)/gm), 'sponsorgate_redis_up']);
  const isMetric = (name: string): boolean =>
    existing.has(name) || existing.has(name.replace(/_(?:count|sum|bucket)$/, ''));
  const unknown = readPages().flatMap(({ path, text }) =>
    names(text, /(?<![@\w])(sponsorgate_[a-z]+_[a-z_]*[a-z])/g)
      .filter((name) => path !== 'CHANGELOG.md' && !isMetric(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unknown, []);
  const { text } = readPage('docs/guides/operations.md');
  assert.deepEqual(
    [...existing].filter((name) => !text.includes(`\`${name}\``)),
    [],
  );

  const rows = [...text.matchAll(/^\| (`sponsorgate_\w+`.*?) \| (.*?) \| (.*) \|$/gm)];
  for (const [row, metrics = '', labels = ''] of rows) {
    const used = inlineCode(metrics).flatMap((metric) => labelsOf(exposed, metric));
    if (used.length > 0 && !row.includes('build_info')) assert.deepEqual(labels.match(/\w+/g), [...new Set(used)], row);
  }
  const meaning = rows.find(([row]) => row.includes('sponsorgate_batch_items'))?.[3] ?? '';
  const batchers = new Set(names(exposed, /^sponsorgate_batch_items_count\{batcher="(\w+)"\}/gm));
  const documented = inlineCode(meaning);
  assert.deepEqual(
    [...batchers].filter((name) => !documented.includes(name)),
    [],
  );
  // Not every batcher runs in every request, so the sources show whether the others exist.
  const sources = globSync('src/modules/tasks/**/*.ts', { cwd: ROOT })
    .map((path) => readPage(path).text)
    .join('');
  assert.deepEqual(
    documented.filter((name) => !sources.includes(`'${name}'`)),
    [],
  );
});

/** Returns the labels of a metric that has samples. */
function labelsOf(exposed: string, metric: string): string[] {
  const [, sample = ''] = new RegExp(`^${metric}(?:_count)?\\{(.*?)\\}`, 'm').exec(exposed) ?? [];
  return names(sample, /(\w+)="/g);
}

const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Runs every `sh` block of a guide and compares its output with the block that follows it. Returns the outputs. */
async function runGuide(path: string, adapt = (text: string): string => text): Promise<string[]> {
  const blocks = codeBlocks(adapt(readPage(path).text.replaceAll(GUIDE_URL, service.url)));
  const outputs: string[] = [];
  for (const [index, { language, code, notRun }] of blocks.entries()) {
    if (language !== 'sh' || notRun !== undefined) continue;
    const output = await shell.run(code);
    outputs.push(output);
    const shown = blocks[index + 1];
    if (shown?.isOutput === true) await expectOutput(code, output, shown);
  }
  return outputs;
}

async function expectOutput(code: string, output: string, shown: CodeBlock): Promise<void> {
  // The bot may still be at work when its message is read: then the reading command, and only that, is repeated.
  const readAgain = code.lastIndexOf('look');
  if (readAgain >= 0 && normal(output, shown) !== normal(shown.code, shown)) {
    await eventually(`${code} prints ${shown.code}`, async () => {
      return normal(await shell.run(code.slice(readAgain)), shown) === normal(shown.code, shown);
    });
    return;
  }
  assert.equal(normal(output, shown), normal(shown.code, shown), code);
}

/** Removes what differs from run to run: times, and the layout of JSON. */
function normal(text: string, { language }: CodeBlock): string {
  const timeless = text.trim().replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)/g, 'TIME');
  if (language !== 'json') return timeless;
  try {
    return JSON.stringify(JSON.parse(timeless));
  } catch {
    return timeless;
  }
}
