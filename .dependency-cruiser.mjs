/**
 * The import rules of docs/architecture.md, enforced by `npm run boundaries`.
 *
 * TypeScript 7 has no JavaScript API, so dependency-cruiser reads `.ts` files with swc. Without swc, dependency-cruiser
 * finds no TypeScript files and reports success. The import below fails in that case.
 */
import '@swc/core';

/** The modules that each module may import, always through their index.ts. An unlisted module may import none. */
const MODULE_EDGES = {
  accounts: ['ledger'],
  audience: [],
  bots: ['accounts'],
  broadcasts: ['accounts'],
  cases: ['accounts', 'events', 'ledger', 'notices', 'quality'],
  checkers: ['notices'],
  compat: ['accounts', 'audience', 'bots', 'orders', 'statistics', 'tasks'],
  contests: ['accounts', 'events', 'ledger'],
  devices: [],
  events: ['notices'],
  ledger: [],
  links: ['audience', 'accounts', 'devices'],
  notices: [],
  tasks: ['orders', 'bots', 'targeting', 'audience', 'ledger', 'events', 'notices', 'quality'],
  operators: [
    ...['accounts', 'audience', 'bots', 'broadcasts', 'cases', 'checkers', 'contests'],
    ...['ledger', 'notices', 'tasks', 'orders', 'payouts', 'quality'],
  ],
  orders: ['accounts', 'events', 'ledger', 'notices', 'targeting'],
  payouts: ['accounts', 'events', 'ledger', 'notices'],
  quality: ['notices'],
  sessions: [],
  targeting: [],
  webhooks: ['accounts', 'events', 'notices'],
};
// Statistics only reads, so it may import every module except compat and webhooks.
MODULE_EDGES.statistics = Object.keys(MODULE_EDGES).filter((name) => !['compat', 'webhooks'].includes(name));

const UNIT_TEST = '\\.test\\.ts$';
const STORE = '^src/modules/.+[/-]store\\.ts$';
const ROUTES = '^src/modules/.+[/-]routes\\.ts$';
const SCHEMAS = '^src/modules/.+[/-]schemas\\.ts$';
const JOBS = '^src/modules/.+[/-]jobs\\.ts$';
const MODULE_INDEX = '^src/modules/[^/]+/index\\.ts$';
const COMPOSITION = ['^src/main\\.ts$', '^src/composition/', '^src/cli/'];

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    forbid('no-cycles', 'Files that import each other cannot be understood apart.', {}, { circular: true }),
    forbid('resolvable', 'The imported file or package does not exist.', {}, { couldNotResolve: true }),

    forbid(
      'core-imports-only-core',
      'core/ is the ground: it knows nothing of ours.',
      { path: '^src/core/' },
      {
        path: '^(src|test|bench|clients|bin)/',
        pathNot: '^src/core/',
      },
    ),
    forbid(
      'db-below-modules',
      'db/ is driven by modules and edges and knows none of them.',
      { path: '^src/db/', pathNot: UNIT_TEST },
      { path: '^src/(modules|http|telegram|jobs|web|sandbox|cli|composition|main\\.ts)' },
    ),

    forbid(
      'texts-know-core',
      'Texts shared by bot and console are words only; bot and console import them, modules do not.',
      { path: '^src/texts/', pathNot: UNIT_TEST },
      { path: '^src/', pathNot: '^src/(texts|core)/' },
    ),

    forbid(
      'module-only-through-index',
      "Another module's files are its own business; its index.ts is its public face.",
      { path: '^src/modules/([^/]+)/' },
      { path: '^src/modules/', pathNot: ['^src/modules/$1/', MODULE_INDEX] },
    ),
    ...Object.entries(MODULE_EDGES).map(([name, allowed]) =>
      forbid(
        `module-edges-${name}`,
        allowed.length > 0 ? `${name} may import: ${allowed.join(', ')}.` : `${name} imports no other module.`,
        { path: `^src/modules/${name}/` },
        { path: '^src/modules/', pathNot: `^src/modules/(${[name, ...allowed].join('|')})/` },
      ),
    ),
    forbid(
      'module-edges-unlisted',
      'A new module states what it may import in .dependency-cruiser.mjs.',
      { path: '^src/modules/([^/]+)/', pathNot: `^src/modules/(${Object.keys(MODULE_EDGES).join('|')})/` },
      { path: '^src/modules/', pathNot: '^src/modules/$1/' },
    ),

    forbid(
      'db-only-from-stores',
      'Only store.ts files and the composition know db/; the rest uses the port in core/database.ts.',
      {
        path: '^src/',
        pathNot: ['^src/(db|jobs|sandbox)/', ...COMPOSITION, STORE, UNIT_TEST],
      },
      { path: '^src/db/' },
    ),
    forbid(
      'modules-know-no-edges',
      'Edges call modules, never the other way round.',
      { path: '^src/modules/', pathNot: UNIT_TEST },
      { path: '^src/(telegram|texts|web|sandbox|cli|composition|main\\.ts)' },
    ),
    forbid(
      'http-only-from-routes',
      'Of a module only its routes.ts speaks HTTP.',
      { path: '^src/modules/', pathNot: [ROUTES, UNIT_TEST] },
      { path: '^src/http/' },
    ),
    forbid(
      'http-knows-no-module',
      'http/ defines ports (http/caller.ts) that the composition fills from modules.',
      { path: '^src/http/', pathNot: UNIT_TEST },
      { path: '^src/(modules|telegram|web|sandbox|jobs|cli|composition|main\\.ts)' },
    ),
    forbid(
      'jobs-only-from-module-jobs',
      'Of a module only its jobs.ts knows the queue.',
      { path: '^src/modules/', pathNot: [JOBS, UNIT_TEST] },
      { path: '^src/jobs/' },
    ),
    forbid(
      'edges-only-through-index',
      'Edges use a module through its index.ts; the composition alone mounts routes.ts and jobs.ts.',
      { path: '^src/(http|telegram|jobs|web|sandbox|cli|metrics)/', pathNot: UNIT_TEST },
      { path: '^src/modules/', pathNot: MODULE_INDEX },
    ),
    forbid(
      'sandbox-is-optional',
      'Live mode runs without the sandbox, so only the composition may mention it.',
      { path: '^src/', pathNot: ['^src/sandbox/', ...COMPOSITION] },
      { path: '^src/sandbox/' },
    ),
    forbid(
      'sandbox-reach',
      'The sandbox uses module indexes, telegram, http, db and core.',
      { path: '^src/sandbox/', pathNot: UNIT_TEST },
      { path: '^src/(jobs|web|cli|composition|main\\.ts)' },
    ),

    forbid(
      'pg-only-in-db',
      'The driver is hidden behind core/database.ts.',
      { path: '^(src|clients)/', pathNot: ['^src/db/', UNIT_TEST] },
      { path: '(^|/)node_modules/(@types/)?pg/' },
    ),
    forbid(
      'redis-client-only-in-redis',
      'The client is hidden behind redis/, which is loaded only when REDIS_URL is set.',
      { path: '^(src|clients)/', pathNot: ['^src/redis/', UNIT_TEST] },
      { path: '(^|/)node_modules/@redis/' },
    ),
    forbid(
      'redis-only-for-limits',
      'Redis may be away at any time: only what can do without it may use it.',
      {
        path: '^src/',
        pathNot: ['^src/redis/', '^src/(http/redis-rate-limit|telegram/redis-shares)\\.ts$', ...COMPOSITION, UNIT_TEST],
      },
      { path: '^src/redis/' },
    ),
    forbid(
      'redis-knows-core',
      'redis/ is as low as db/.',
      { path: '^src/redis/', pathNot: UNIT_TEST },
      { path: '^src/', pathNot: '^src/(redis|core)/' },
    ),
    forbid(
      'prom-client-only-in-metrics',
      'Figures are counted behind metrics/.',
      { path: '^(src|clients)/', pathNot: ['^src/metrics/', UNIT_TEST] },
      { path: '(^|/)node_modules/prom-client/' },
    ),
    forbid(
      'opentelemetry-only-in-tracing',
      'The SDK is hidden behind core/tracing.ts and loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set.',
      { path: '^(src|clients)/', pathNot: ['^src/tracing/', UNIT_TEST] },
      { path: '(^|/)node_modules/@opentelemetry/' },
    ),
    forbid(
      'tracing-knows-core',
      'tracing/ implements the port in core/tracing.ts.',
      { path: '^src/tracing/', pathNot: UNIT_TEST },
      { path: '^src/', pathNot: '^src/(tracing|core)/' },
    ),
    forbid(
      'grammy-only-in-telegram',
      'Telegram is spoken in telegram/, its emulation in sandbox/.',
      { path: '^src/', pathNot: ['^src/(telegram|sandbox)/', UNIT_TEST] },
      { path: '(^|/)node_modules/(grammy|@grammyjs/[^/]+)/' },
    ),
    forbid(
      'fastify-only-at-the-wire',
      'Use cases do not know the web framework.',
      {
        path: '^(src|clients)/',
        pathNot: [
          '^src/(http|web|sandbox)/',
          '^src/telegram/(intake|webhook-route)\\.ts$',
          ...COMPOSITION,
          ROUTES,
          SCHEMAS,
          UNIT_TEST,
        ],
      },
      { path: '(^|/)node_modules/(fastify|fastify-plugin|@fastify/[^/]+)/' },
    ),

    forbid(
      'product-without-tests',
      'What is shipped does not need test/ or bench/.',
      { path: '^(src|clients|bin)/', pathNot: UNIT_TEST },
      { path: '^(test|bench)/' },
    ),
    forbid(
      'product-without-dev-dependencies',
      '`npm ci --omit=dev` must be enough to run.',
      { path: '^(src|clients|bin)/', pathNot: UNIT_TEST },
      { dependencyTypes: ['npm-dev'], pathNot: '(^|/)node_modules/@types/' },
    ),
    forbid(
      'declared-dependencies',
      'The package is installed by luck: it belongs into package.json.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^clients/[^/]+/dist/' }, // built for publishing; the rules check its sources
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
