import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Failure, type FileResult, WHOLE_FILE } from './tally.ts';

const SLOWEST = 10;

/** Returns the line that the runner prints when a file ends. */
export function fileLine({ file, milliseconds, passed, skipped, failures }: FileResult): string {
  const counts = [`${passed} passed`];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  if (failures.length > 0) counts.push(`${failures.length} FAILED`);
  return `${failures.length > 0 ? '✖' : '✔'} ${file}  ${counts.join(', ')}  ${seconds(milliseconds)}`;
}

/** Returns the end of the report: the slowest files, the failures with a command to repeat each, and the totals. */
export function summary(results: readonly FileResult[], wallMilliseconds: number): string {
  const failures = results.flatMap((result) => result.failures);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const skipped = results.flatMap(({ file, skipped: names }) => names.map((name) => `  ${file}: ${name}`));
  const slowest = [...results].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  const parts = [
    ['', `The slowest ${slowest.length} of ${results.length} files:`],
    slowest.map(({ file, milliseconds }) => `${seconds(milliseconds).padStart(9)}  ${file}`),
    skipped.length > 0 ? ['', 'Skipped:', ...skipped] : [],
    results.filter((result) => result.failures.length > 0 && result.output.trim() !== '').flatMap(outputLines),
    failures.length > 0 ? ['', `${failures.length} failed:`, ...failures.flatMap(failureLines)] : [],
    [
      '',
      `took ${duration(wallMilliseconds)}`,
      `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`,
    ],
  ];
  return `${parts.flat().join('\n')}\n`;
}

function outputLines({ file, output }: FileResult): string[] {
  return [
    '',
    `${file} printed:`,
    ...output
      .trimEnd()
      .split('\n')
      .slice(-40)
      .map((line) => `  ${line}`),
  ];
}

function failureLines({ file, name, place, error }: Failure): string[] {
  const own = name.split(' › ').at(-1) ?? name;
  const pattern = own.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll("'", '.');
  const isWholeFile = name === WHOLE_FILE;
  return [
    '',
    `✖ ${name}`,
    `  at ${relative('.', place)}`,
    ...stripVTControlCharacters(error)
      .split('\n')
      .map((line) => `  ${line}`),
    `  repeat: npm test -- ${file}${isWholeFile ? '' : ` --test-name-pattern='${pattern}'`}`,
  ];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
