/**
 * `npm run bench`: runs every benchmark of docs/performance.md one after the other, each in its own process. Prints the
 * table and, at the end, one line of JSON. `npm run bench -- confirm latency` runs only these, including ones that are
 * not in the table.
 */
import { spawn } from 'node:child_process';

/** The benchmarks: the file, the name and the target of each figure. */
const FIGURES = [
  ['confirm', 'hot', 'confirm over HTTP, one hot order, against one call per request', '≥', 3],
  ['confirm', 'many', 'confirm over HTTP, 1,000 orders, likewise', '≥', 2],
  ['get-sponsors', 'repeat', 'get-sponsors, repeat caller, against bare Fastify', '≥', 0.6],
  ['get-sponsors', 'first', 'get-sponsors, first call, likewise', '≥', 0.25],
  ['orders-growth', 'ratio', 'get-sponsors cost, 100 → 100,000 active orders', '≤', 2],
  ['task-growth', 'getSponsors', 'get-sponsors cost, 10 thousand → 10 million stored tasks', '≤', 1.3],
  ['task-growth', 'confirm', 'confirm cost, likewise', '≤', 1.3],
  ['latency', 'ratio', 'p99 at half of the maximum load, against p50', '≤', 5],
  ['two-processes', 'ratio', 'two API processes, get-sponsors repeat caller, against one', '≥', 1.6],
  [
    'compat',
    'ratio',
    'repeat caller of another network’s API, the dearest of five, against our get-sponsors',
    '≤',
    1.3,
  ],
  ['redirect', 'ratio', 'smart link, against a bare redirect', '≥', 0.6],
] as const;
/** Figures outside of the table of docs/performance.md: `npm run bench -- checkers`. */
const OTHER_FIGURES = [
  [
    'checkers',
    'ratio',
    'checks per second of N checker bots, against N times those of one, the worst of 2, 4 and 8',
    '≥',
    0.9,
  ],
  ['checkers', 'floods', 'calls refused with 429 in the steady part', '≤', 0],
  ['slow-replies', 'delayMs', 'delay of a press by a reply of another person that takes 10 s, in ms', '≤', 100],
] as const;
const IN_TABLE: readonly string[] = [...new Set(FIGURES.map(([file]) => file))];
const ALL = [
  ...IN_TABLE,
  'matching',
  'webhooks',
  'names',
  'fraud',
  'fraud-scale',
  'checkers',
  'slow-replies',
  'tracing',
  'partitions',
  'replica',
];

/** Options such as `--scale=0.1` go to the benchmarks. */
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = wanted.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`there is no figure called ${unknown.join(', ')}; there are ${ALL.join(', ')}`);
  process.exit(2);
}

/** Benchmarks that ended with another exit code than 0. Those without a figure in the table judge themselves. */
const failed = new Set<string>();
const results: Record<string, Record<string, unknown>> = {};
const names = wanted.length > 0 ? wanted : IN_TABLE;
for (const [index, name] of names.entries()) {
  console.error(`[${index + 1}/${names.length}] ${name}, ${Math.round(performance.now() / 1000)} s so far`);
  results[name] = await run(name);
}

console.log('\n| figure | measured | wanted |\n|---|---|---|');
let isReached = names.every((name) => IN_TABLE.includes(name) || !failed.has(name));
for (const [file, key, title, sense, target] of [...FIGURES, ...OTHER_FIGURES]) {
  if (results[file] === undefined) continue;
  const value = Number(results[file][key] ?? Number.NaN);
  const isGood = sense === '≥' ? value >= target : value <= target;
  isReached &&= isGood;
  console.log(`| ${title} | ${Number.isNaN(value) ? 'failed' : value}${isGood ? '' : ' ✗'} | ${sense} ${target} |`);
}
console.log(`\n${JSON.stringify({ results, isReached })}`);
process.exitCode = isReached ? 0 : 1;

/** Runs a benchmark and returns its last line of JSON. */
function run(name: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const file = new URL(`./${name}.ts`, import.meta.url).pathname;
    const child = spawn(process.execPath, [file, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stderr.write(text);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) failed.add(name);
      const line = output.trim().split('\n').at(-1) ?? '';
      resolve(line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {});
    });
  });
}
