// `npm run check`: runs all static checks in parallel. Prints one line per check and the full output of failed ones.
import './require-node.js';
import { spawn } from 'node:child_process';

const CHECKS = [
  { script: 'format:check', repair: 'npm run format' },
  { script: 'lint' },
  { script: 'lint:types' },
  { script: 'types' },
  { script: 'boundaries' },
  { script: 'unused' },
];

/** Runs one npm script and returns its output. */
function run(script) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    // Needs a shell, because npm is a batch file on Windows and cannot be spawned directly.
    const child = spawn(`npm run --silent ${script}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const finish = (passed) => resolve({ passed, output, seconds: (performance.now() - startedAt) / 1000 });
    child.on('error', (error) => {
      output += String(error);
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}

const results = await Promise.all(CHECKS.map(async (check) => ({ ...check, ...(await run(check.script)) })));
const failed = results.filter((result) => !result.passed);

for (const { script, repair, output } of failed) {
  console.log(`\n──── ${script} ────\n${output.trim()}`);
  if (repair) console.log(`\nTo repair: ${repair}`);
}
console.log('');
for (const { script, passed, seconds } of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${script.padEnd(14)} ${seconds.toFixed(1)} s`);
}
if (failed.length > 0) {
  console.log(`\n${failed.length} of ${results.length} checks failed. One alone: npm run ${failed[0].script}`);
  process.exitCode = 1;
}
