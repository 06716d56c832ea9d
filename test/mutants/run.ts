/**
 * `npm run test:mutants`: changes the source in one small place at a time and runs the tests that should notice it. A
 * change that no test notices (a survivor) shows a rule without a test. See docs/mutants.md.
 *
 * Arguments: folders of `src/modules` (all six without any), and
 *   --sample=60       mutants per folder, or `all`
 *   --seed=1          which ones
 *   --only=settle     only sources whose path contains this
 *   --again           run known survivors again, after tests were added
 *   --silence=120     seconds without a finished test after which a mutant counts as hung
 *   --trust           skip the first run on the unchanged source; only right after these tests have passed
 *   --list            print the mutants and run nothing
 * Results are kept in `tmp/mutants/`; a stopped run continues where it ended.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { DATABASE_URL_VARIABLE, withPostgres } from '../runner/with-postgres.ts';
import { FOLDERS, type Folder, sourcesOf, testsOf } from './covering-tests.ts';
import { mutate } from './mutate.ts';
import { type Candidate, candidateOf, openResults, type Result, reportOf, sample } from './results.ts';
import { runMutant } from './run-mutant.ts';

process.chdir(join(import.meta.dirname, '../..'));
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    silence: { type: 'string', default: '120' },
    again: { type: 'boolean', default: false },
    trust: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const folders = positionals.length > 0 ? FOLDERS.filter((folder) => positionals.includes(folder)) : FOLDERS;
const size = values.sample === 'all' ? Number.POSITIVE_INFINITY : Number(values.sample);
const silenceMs = Number(values.silence) * 1000;

if (values.list) {
  for (const folder of folders)
    for (const one of candidatesIn(folder)) console.log(`${one.file}:${one.line}  ${one.what}`);
} else {
  await withPostgres(async () => {
    const reports: string[] = [];
    for (const folder of folders) if (!stopped.signal.aborted) reports.push(await measure(folder));
    console.log(`\n${reports.join('\n\n')}`);
  });
}

function candidatesIn(folder: Folder): Candidate[] {
  return sourcesOf(folder)
    .filter((file) => file.includes(values.only))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return mutate(source).map((mutant) => candidateOf(file, source, mutant));
    });
}

async function measure(folder: Folder): Promise<string> {
  const all = candidatesIn(folder);
  const chosen = sample(all, size, values.seed);
  const results = openResults(`tmp/mutants/${folder}.jsonl`);
  const isOpen = ({ key }: Candidate): boolean => {
    const fate = results.known.get(key)?.fate;
    return fate === undefined || (values.again && fate === 'survived');
  };
  const open = chosen.filter(isOpen);
  console.log(`${folder}: ${all.length} mutants, ${chosen.length} drawn, ${open.length} to run`);
  const red = values.trust ? new Set<string>() : await findRed(open);
  for (const [i, candidate] of open.entries()) {
    if (!isUnchanged(candidate)) throw new Error(`${candidate.file} was changed during the run: start again`);
    const result = await runCandidate(candidate, red);
    if (stopped.signal.aborted) break;
    results.add(result);
    const { file, line, what, fate, by = '', seconds } = result;
    console.log(`${i + 1}/${open.length} ${fate} ${seconds} s  ${file}:${line}  ${what}  ${by.slice(0, 120)}`);
  }
  const measured = chosen.flatMap(({ key }) => results.known.get(key) ?? []);
  return reportOf(folder, measured, all.length);
}

function isUnchanged(candidate: Candidate): boolean {
  return candidateOf(candidate.file, readFileSync(candidate.file, 'utf8'), candidate).key === candidate.key;
}

async function runCandidate(candidate: Candidate, red: ReadonlySet<string>): Promise<Result> {
  const { key, file, line, what, start, end, replacement } = candidate;
  const begin = performance.now();
  const mutant = { file, start, end, replacement };
  const tests = testsOf(file).filter((test) => !red.has(test));
  const fate = await runMutant({ mutant, tests, silenceMs, signal: stopped.signal });
  await dropLeftDatabases();
  return { key, file, line, what, ...fate, seconds: Math.round((performance.now() - begin) / 1000) };
}

/**
 * Returns the test files that fail on the unchanged source. They would fail for every mutant, so the run skips them.
 */
async function findRed(candidates: readonly Candidate[]): Promise<ReadonlySet<string>> {
  const red = new Set<string>();
  const tests = [...new Set(candidates.flatMap(({ file }) => testsOf(file)))];
  const together = await runMutant({ mutant: undefined, tests, silenceMs, signal: stopped.signal });
  if (together.fate === 'survived') return red;
  for (const test of tests) {
    if (stopped.signal.aborted) break;
    const outcome = await runMutant({ mutant: undefined, tests: [test], silenceMs, signal: stopped.signal });
    if (outcome.fate === 'survived') continue;
    red.add(test);
    console.log(`left out, because it fails without any mutant: ${outcome.by}`);
  }
  return red;
}

/** Drops the databases of stopped tests, because the server keeps them in memory. */
async function dropLeftDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env[DATABASE_URL_VARIABLE] });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname ~ '^(test|empty)_[0-9a-f]{12}$'",
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
