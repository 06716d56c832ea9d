import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The folders whose tests are measured. */
export const FOLDERS = ['ledger', 'tasks', 'orders', 'payouts', 'contests', 'targeting'] as const;
export type Folder = (typeof FOLDERS)[number];

const api = (...names: readonly string[]): readonly string[] => names.map((name) => `test/api/${name}.test.ts`);

/** For sources whose name matches: the tests that cover them best. The test most likely to fail is first. */
const BY_SOURCE: readonly (readonly [source: RegExp, tests: readonly string[]])[] = [
  [/ledger\/(store|ledger|verify-ledger|index)\.ts/, ['test/properties/ledger.test.ts']],
  [/ledger\/fold/, ['test/properties/fold-ledger.test.ts', ...api('retention')]],
  [/tasks\/(confirm|record-confirms|membership)/, api('confirm', 'counted-once', 'confirm-many', 'known-members')],
  [/tasks\/(settle|window|task\.ts|subscription-events)/, api('settlement', 'reversal', 'external-provider')],
  [/tasks\/(plan|place|task-list|get-sponsors|read-askers)/, api('rounds', 'task-lifetime', 'eligibility')],
  [/tasks\/(answer-postback|click-id)/, api('external-provider')],
  [/tasks\/(explain|estimate)/, api('explain')],
  [/tasks\/(access|verify-access|walk)/, api('lost-access', 'bot-resources')],
  [/tasks\/forget/, api('retention')],
  [/tasks\/record-membership/, api('reversal', 'known-members')],
  [/tasks\/(schemas|routes|present|task-flow)/, api('bad-fields', 'confirm', 'task-flow')],
  [/tasks\/(totals|backlog)/, api('statistic', 'metrics', 'reports-days')],
  [/tasks\/(expire|task-rows)/, api('task-lifetime')],
  [/orders\/(access|pause)/, api('lost-access')],
  [/orders\/(order-book|progress|ranking|pacing)/, api('targeting', 'settlement')],
  [/payouts\/(crypto-pay|convert|send)/, api('payouts-sending', 'payouts-deposits')],
  [/payouts\/(.*invoice|.*deposit|credit-account|notice|routes)/, api('payouts-deposits')],
  [/payouts\/(schemas|routes|cursor|present|store)/, api('payouts-list')],
  [/contests\//, api('contests', 'contests-settled')],
  [/targeting\/(?!names)/, api('targeting')],
];

/** Tests for every source of a folder. They run after the tests above. */
const BY_FOLDER: Readonly<Record<Folder, readonly string[]>> = {
  ledger: api('balance', 'settlement'),
  tasks: ['test/properties/task-flow.test.ts'],
  orders: api('orders'),
  payouts: api('payouts', 'payouts-sending'),
  contests: [],
  targeting: [],
};

/** Returns the tests that should notice a change of this source: its own first, then the module's, then the service's. */
export function testsOf(source: string): readonly string[] {
  const folder = basename(dirname(source)) as Folder;
  const own = source.replace(/\.ts$/, '.test.ts');
  const units = globSync(`src/modules/${folder}/*.test.ts`).sort((a, b) => Number(b === own) - Number(a === own));
  const matching = BY_SOURCE.filter(([pattern]) => pattern.test(source)).flatMap(([, tests]) => tests);
  return [...new Set([...units, ...matching, ...BY_FOLDER[folder]])].filter((test) => existsSync(test));
}

/** Returns the sources of a folder, without its tests and declarations. */
export function sourcesOf(folder: Folder): readonly string[] {
  return globSync(`src/modules/${folder}/**/*.ts`)
    .filter((file) => !/\.(test|fixture|d)\.ts$/.test(file))
    .sort();
}
