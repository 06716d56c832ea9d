import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folders whose tests are measured. */
export const FOLDERS = ['ledger', 'tasks', 'orders', 'payouts', 'contests', 'targeting'] as const;
export type Folder = (typeof FOLDERS)[number];

const api = (...names: readonly string[]): readonly string[] => names.map((name) => `test/api/${name}.test.ts`);

/** For sources whose name matches: the tests that cover them best. The test most likely to fail is first. */
const BY_SOURCE: readonly (readonly [source: RegExp, tests: readonly string[]])[] = [
  [/ledger\/(store|ledger|verify-ledger|index)\.ts/, ['test/properties/ledger.test.ts']],
  [/ledger\/fold/, ['test/properties/fold-ledger.test.ts', ...api('retention')]],
  [/tasks\/show\/estimate/, api('targeting')],
  [/tasks\/show\//, api('rounds', 'task-lifetime', 'eligibility', 'explain', 'bad-fields')],
  [
    /tasks\/confirm\//,
    api('confirm', 'counted-once', 'confirm-many', 'known-members', 'user-subscriptions', 'bad-fields'),
  ],
  [/tasks\/settle\/.*postback/, api('external-provider')],
  [/tasks\/settle\//, api('settlement', 'reversal', 'external-provider', 'known-members')],
  [/tasks\/access\//, api('lost-access', 'bot-resources')],
  [/tasks\/expire\//, api('task-lifetime')],
  [
    /tasks\/forget\//,
    [...api('retention'), 'test/races/forget-lists.test.ts', 'test/races/forget-memberships.test.ts'],
  ],
  [/tasks\/[^/]+$/, api('rounds', 'confirm', 'settlement', 'statistic', 'reports-days')],
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

/** Returns the tests that should notice a change of this source: its own first, then its folder's, then the service's. */
export function testsOf(source: string): readonly string[] {
  const folder = FOLDERS.find((name) => source.startsWith(`src/modules/${name}/`));
  if (folder === undefined) throw new Error(`${source} is in none of the measured folders`);
  const own = source.replace(/\.ts$/, '.test.ts');
  const distance = (test: string): number => (test === own ? 0 : dirname(test) === dirname(source) ? 1 : 2);
  const units = globSync(`src/modules/${folder}/**/*.test.ts`).sort((a, b) => distance(a) - distance(b));
  const matching = BY_SOURCE.filter(([pattern]) => pattern.test(source)).flatMap(([, tests]) => tests);
  return [...new Set([...units, ...matching, ...BY_FOLDER[folder]])].filter((test) => existsSync(test));
}

/** Returns the sources of a folder, without its tests and declarations. */
export function sourcesOf(folder: Folder): readonly string[] {
  return globSync(`src/modules/${folder}/**/*.ts`)
    .filter((file) => !/\.(test|fixture|d)\.ts$/.test(file))
    .sort();
}
