import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { codeBlocks, inlineCode, type Page, ROOT, readPage, readPages } from './pages.ts';

/** The changelog names what no longer exists. */
const pages = readPages().filter(({ path }) => path !== 'CHANGELOG.md');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('every npm script that the documentation names exists', () => {
  const scriptsOf = (path: string): string[] => Object.keys(JSON.parse(read(path)).scripts ?? {});
  const isScript = ({ path, name }: { path: string; name: string }): boolean =>
    [
      ...scriptsOf('package.json'),
      ...(existsSync(join(ROOT, dirname(path), 'package.json')) ? scriptsOf(`${dirname(path)}/package.json`) : []),
    ].includes(name);
  assert.deepEqual(
    mentions(/\bnpm run (?:--silent )?([\w:]+)/g).filter((mention) => !isScript(mention)),
    [],
  );
});

test('every command of sponsorgate that the documentation names exists', () => {
  const help = execFileSync(process.execPath, [join(ROOT, 'bin/sponsorgate.js'), 'help'], { encoding: 'utf8' });
  const commands = new Set([...help.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name));
  const unknown = mentions(/(?:npx sponsorgate|^sponsorgate|bin\/sponsorgate\.js) ([a-z][\w-]*)/gm);
  assert.ok(unknown.length > 10, 'the commands in the documentation were not found');
  assert.deepEqual(
    unknown.filter(({ name }) => !commands.has(name)),
    [],
  );
});

test('every program that the documentation starts with node exists', () => {
  const programs = mentions(/(?:^|\s)node ((?:bench|test|clients|examples|bin)\/[\w./-]+)/gm);
  assert.deepEqual(
    programs.filter(({ name }) => !existsSync(join(ROOT, name))),
    [],
  );
});

test('the operator guide and .env.example list exactly the settings of the service', () => {
  const settings = settingsOfService();
  const table = readPage('docs/guides/operator.md').text.split('## Settings')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => inlineCode(cell));
  const example = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  assert.deepEqual(rows.sort(), settings);
  assert.deepEqual(example.sort(), settings);
});

test('every setting that the documentation mentions exists', () => {
  const known = new Set([...settingsOfService(), ...OTHER_VARIABLES]);
  const unknown = pages.flatMap(({ path, text }) =>
    inlineCode(text)
      .map((code) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/.exec(code)?.[1])
      .filter((name) => name !== undefined && !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

/** Variables of tests, benchmarks, clients and constants in the code, which are not settings of the service. */
const OTHER_VARIABLES = [
  'BOT_TOKEN',
  'ETCD_ENABLE_V2',
  'ETCD_UNSUPPORTED_ARCH',
  'SUPERUSER_PASSWORD',
  'HTTPS_PROXY',
  'NO_PROXY',
  // OpenTelemetry's exporter reads it.
  'OTEL_EXPORTER_OTLP_HEADERS',
  'CHROMIUM_PATH',
  'FUZZ_SEED',
  'FUZZ_REQUESTS',
  'MODULE_EDGES',
  'SPONSORGATE_TOKEN',
  'SPONSORGATE_URL',
  'POSTGRES_PASSWORD',
  'SPONSORGATE_PREVIOUS',
  'SPONSORGATE_TEST_POSTGRES',
  // Errors of Telegram and of Crypto Pay.
  'AMOUNT_TOO_SMALL',
  'CHANNEL_PRIVATE',
  'CHAT_ADMIN_REQUIRED',
  'METHOD_DISABLED',
  'NOT_ENOUGH_COINS',
  'SPEND_ID_ALREADY_USED',
  'USER_ID_INVALID',
  'USER_IS_BLOCKED',
  'USER_NOT_FOUND',
];

function settingsOfService(): string[] {
  const names = [...read('src/config.ts').matchAll(/\((?:env, )?'([A-Z_]+)'/g)].map(([, name = '']) => name);
  return [...new Set(names)].sort();
}

/** Returns what the first group of the pattern finds in code blocks and inline code. */
function mentions(pattern: RegExp): { path: string; name: string }[] {
  const codeOf = ({ text }: Page): string[] => [...codeBlocks(text).map(({ code }) => code), ...inlineCode(text)];
  return pages.flatMap((page) =>
    codeOf(page).flatMap((code) => [...code.matchAll(pattern)].map(([, name = '']) => ({ path: page.path, name }))),
  );
}
