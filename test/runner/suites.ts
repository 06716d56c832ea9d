import { globSync, statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Which files each test command runs; `fast` is `npm test`. */
export const SUITES = {
  fast: [
    'src/**/*.test.ts',
    'clients/**/*.test.ts',
    'test/{api,bot,campaign,compat,console,docs,mutants,properties,races,runner,security}/**/*.test.ts',
  ],
  // Every screen of the management bot, and in both languages the journeys through them, which `npm test` runs in one.
  screens: ['test/{bot,screens}/**/*.test.ts'],
  attacks: ['test/attacks/**/*.test.ts'],
  clients: ['test/clients/**/*.test.ts'],
  faults: ['test/faults/**/*.test.ts'],
  fuzz: ['test/{fraud,fuzz,properties}/**/*.test.ts'],
  browser: ['test/browser/**/*.test.ts'],
  redis: ['test/redis/**/*.test.ts'],
  postgres: ['test/postgres/**/*.test.ts'],
  upgrade: ['test/upgrade/**/*.test.ts'],
  'python-sdks': ['test/python-sdks/**/*.test.ts'],
  packages: ['test/packages/**/*.test.ts'],
} as const satisfies Record<string, readonly string[]>;

export type SuiteName = keyof typeof SUITES;

export const SUITE_NAMES = Object.keys(SUITES) as SuiteName[];

/** Files that kill processes or start servers. Each runs in its own process. */
const ISOLATED_FOLDERS = /^test\/(faults|fuzz|browser|redis|postgres|upgrade|packages|python-sdks)\//;
/** Records the statements of its process, so the service that other files share must not run there. */
const RECORDS_STATEMENTS = 'test/races/partition-tables.test.ts';

export const isIsolated = (file: string): boolean => ISOLATED_FOLDERS.test(file) || file === RECORDS_STATEMENTS;

/**
 * Files that wait for most of their time: for a lost connection to be noticed, for a lease to end, for Telegram to be
 * asked again. They hardly use a core, so they run beside the others.
 */
export const WAITING_FILES: readonly string[] = [
  'src/db/check-ready.test.ts',
  'src/db/exclusive.test.ts',
  'src/db/listen.test.ts',
  'src/db/migrate.test.ts',
  'src/jobs/runner.test.ts',
  'src/modules/broadcasts/send-broadcasts.test.ts',
  'src/telegram/membership-checker-floods.test.ts',
  'src/telegram/membership-checker.test.ts',
  'test/api/metrics.test.ts',
  'test/api/payouts-sending.test.ts',
  'test/api/retention.test.ts',
  'test/api/settlement.test.ts',
  'test/api/webhooks-fairness.test.ts',
  'test/bot/checkers.test.ts',
  'test/clients/client-retries.test.ts',
  'test/clients/telegraf-gate.test.ts',
  'test/console/checkers.test.ts',
  'test/security/garbage.test.ts',
];

/**
 * Returns the files that match patterns, folders and file names: properties first, then the largest. A long file that
 * starts last would keep one process busy while the others are idle. Properties take long even when the file is short.
 */
export function findTestFiles(patterns: readonly string[]): string[] {
  const weight = (file: string): number =>
    statSync(file).size + (file.includes('test/properties/') ? PROPERTY_WEIGHT : 0);
  return [...new Set(patterns.flatMap(filesBehind))].sort((a, b) => weight(b) - weight(a));
}

const PROPERTY_WEIGHT = 1_000_000;

function filesBehind(pattern: string): string[] {
  const path = isAbsolute(pattern) ? relative('.', pattern) : pattern;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return globSync(isFolder ? `${path}/**/*.test.ts` : path, { exclude: ['**/node_modules/**'] });
}
