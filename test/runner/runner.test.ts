import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileLine, summary } from './print.ts';
import { runFiles } from './run-files.ts';
import { WAITING_FILES } from './suites.ts';
import type { FileResult } from './tally.ts';

const HEAD =
  "import { after, before, describe, it, test } from 'node:test';\nimport assert from 'node:assert/strict';\n";

const FILES = {
  'passes.test.ts': "test('one', () => {}); describe('group', () => { it('two', () => {}); });",
  'fails.test.ts':
    "describe('outer', () => { describe('inner', () => { it('adds up (a+b)', () => assert.equal(1, 2)); }); });",
  'hook-fails.test.ts': "before(() => { throw new Error('no database'); }); test('needs it', () => {});",
  'does-not-load.test.ts': "throw new Error('does not load');",
  'rejects-later.test.ts': "test('starts work', () => { void Promise.reject(new Error('nobody waits for me')); });",
  'exits.test.ts': "test('ends the process', () => process.exit(0));",
  'skips.test.ts': "test('later', { skip: true }, () => {});",
  'nests-late.test.ts':
    "test('outer', async () => { await new Promise((done) => setTimeout(done, 1)); test('created late', () => {}); });",
  'prints.test.ts': "test('prints', () => { console.log('hello from the test'); assert.fail('see above'); });",
} as const;

describe('the test runner', () => {
  let folder: string;
  const results = new Map<string, FileResult>();
  const resultOf = (name: keyof typeof FILES): FileResult => {
    const result = results.get(join(folder, name));
    assert.ok(result !== undefined, `${name} was not run`);
    return result;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sponsorgate-runner-'));
    for (const [name, body] of Object.entries(FILES)) await writeFile(join(folder, name), HEAD + body);
    const run = (names: readonly string[]): Promise<void> =>
      runFiles({
        files: names.map((name) => join(folder, name)),
        nodeOptions: [],
        signal: new AbortController().signal,
        onResult: (result) => void results.set(result.file, result),
      });
    // Run separately: the file that ends its process would also end the other files in that process.
    await run(Object.keys(FILES).filter((name) => name !== 'exits.test.ts'));
    await run(['exits.test.ts']);
  });
  after(() => rm(folder, { recursive: true }));

  it('counts the tests that pass', () => {
    const { passed, failures, skipped } = resultOf('passes.test.ts');
    assert.deepEqual({ passed, failures, skipped }, { passed: 2, failures: [], skipped: [] });
  });

  it('names a failed test with its suites, once', () => {
    const { passed, failures } = resultOf('fails.test.ts');
    assert.equal(passed, 0);
    assert.deepEqual(
      failures.map(({ name }) => name),
      ['outer › inner › adds up (a+b)'],
    );
    assert.match(failures[0]?.error ?? '', /1 !== 2/);
  });

  for (const name of ['hook-fails.test.ts', 'does-not-load.test.ts', 'exits.test.ts'] as const) {
    it(`fails for a file that ${name.replace('.test.ts', '').replaceAll('-', ' ')}`, () => {
      assert.ok(resultOf(name).failures.length > 0);
    });
  }

  it('fails for work that a test started and that failed after the test ended', () => {
    const late = [...results.values()].flatMap(({ failures }) => failures).map(({ error }) => error);
    assert.ok(late.some((error) => error.includes('nobody waits for me')));
  });

  it('fails for a test that was created after an await, because it does not know its suite', () => {
    const errors = [...results.values()].flatMap(({ failures }) => failures).map(({ error }) => error);
    assert.ok(errors.some((error) => error.startsWith('"created late"')));
  });

  it('knows only waiting files that exist', () => {
    assert.deepEqual(
      WAITING_FILES.filter((file) => !existsSync(file)),
      [],
    );
  });

  it('names the tests that were skipped', () => {
    assert.deepEqual(resultOf('skips.test.ts').skipped, ['later']);
  });

  it('prints the failures, the command to repeat each, and the totals at the end', () => {
    const printed = summary([...results.values()], 61_000);
    assert.match(printed, /repeat: npm test -- \S*fails\.test\.ts --test-name-pattern='adds up \\\(a\\\+b\\\)'/);
    assert.match(printed, /hello from the test/);
    assert.match(printed, /took 1 min 1 s\n4 passed, \d+ failed, 1 skipped\n$/);
    assert.match(fileLine(resultOf('fails.test.ts')), /^✖ .*fails\.test\.ts {2}0 passed, 1 FAILED/);
  });
});
