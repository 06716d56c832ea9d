/**
 * `npm run test:slow`: shows that the tests pass on a slow and busy machine.
 *
 * Runs a test command several times beside busy loops, four per core, and several times with every process of the
 * service limited to a fifth of a core. Options: `--runs=5`, `--suite=fast`, `--only=busy` or `--only=limited`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CPU_SHARE_VARIABLE } from './support/throttle.ts';

const LOOPS_PER_CORE = 4;
const CPU_SHARE = 0.2;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    suite: { type: 'string', default: 'fast' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);

const CONDITIONS = {
  busy: `beside ${LOOPS_PER_CORE * availableParallelism()} busy loops`,
  limited: `with each process of the service limited to ${CPU_SHARE} of a core`,
} as const;
type Condition = keyof typeof CONDITIONS;

const outcomes: string[] = [];
let failed = 0;
for (const condition of Object.keys(CONDITIONS) as Condition[]) {
  if (values.only !== undefined && values.only !== condition) continue;
  for (let run = 1; run <= runs; run++) {
    console.log(`\n==> ${values.suite}, run ${run} of ${runs}, ${CONDITIONS[condition]}`);
    const loops = condition === 'busy' ? startBusyLoops() : [];
    const begin = performance.now();
    const code = await runSuite(condition);
    for (const loop of loops) loop.kill('SIGKILL');
    if (code !== 0) failed += 1;
    const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
    outcomes.push(`${values.suite} ${CONDITIONS[condition]}: ${code === 0 ? 'green' : 'FAILED'} in ${minutes} min`);
  }
}
console.log(`\n${outcomes.join('\n')}`);
process.exitCode = failed === 0 ? 0 : 1;

function startBusyLoops(): ChildProcess[] {
  // Each loop ends by itself when this process ends for any reason.
  const loop =
    'process.stdin.on("close", () => process.exit()).resume(); setInterval(() => { for (let i = 0; i < 1e8; i++); })';
  return Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
}

async function runSuite(condition: Condition): Promise<number | null> {
  const slowed = { [CPU_SHARE_VARIABLE]: String(CPU_SHARE), SPONSORGATE_TEST_SLOWNESS: String(2 / CPU_SHARE) };
  const runner = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), values.suite], {
    stdio: 'inherit',
    env: { ...process.env, ...(condition === 'limited' ? slowed : {}) },
  });
  const [code] = (await once(runner, 'exit')) as [number | null];
  return code;
}
