/**
 * Measures what DATABASE_REPLICA_URL moves off the primary: a primary and a streaming standby, the load of the soak at a
 * fixed rate, and readers of reports: statistics, console pages with charts, an audience estimate, platform figures and
 * the verification of the ledger. `node bench/replica.ts`
 *
 * Phases without and with the replica alternate. Figures: statements, the time and the blocks that they read by
 * pg_stat_statements, and the processor time of both servers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenDatabase, openDatabase } from '../src/db/index.ts';
import { Visitor } from '../test/console/visitor.ts';
import { query } from '../test/support/books.ts';
import { startReplicatedPostgres } from '../test/support/replicated-postgres.ts';
import { Sandbox } from '../test/support/sandbox.ts';
import { addOldTasks, addOrders, type Ground, reloadBook } from './fill.ts';
import { CONNECTIONS } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { processorOfTree } from './processor.ts';
import { median } from './random.ts';
import { mixture, ORDERS } from './soak-load.ts';
import { control, progress, type Server, serveOurs, startServer } from './stage.ts';

const PHASES = Number(process.env.REPLICA_PHASES ?? 3);
const PHASE_SECONDS = Number(process.env.REPLICA_SECONDS ?? 24);
const STORED_TASKS = Number(process.env.REPLICA_TASKS ?? 1_000_000);
const OPERATOR_ID = 990_900;
/** The same number of reports in every phase. A round has one of each kind; every second round verifies the ledger. */
const REPORT_ROUNDS = 4;
const VERIFY_EVERY = 2;
const WITHOUT = 'without';
const WITH = 'with';

/** The settings of the embedded server that matter for plans, and the view of the statements. */
const SETTINGS = [
  ...['shared_buffers=128MB', 'random_page_cost=1.1', 'jit=off', 'max_parallel_workers_per_gather=0'],
  ...['shared_preload_libraries=pg_stat_statements', 'max_wal_size=1GB'],
];

const [, , role, primaryUrl = '', replicaUrl = ''] = process.argv;
if (role === 'ours') {
  const replica = replicaUrl === '' ? {} : { DATABASE_REPLICA_URL: replicaUrl };
  await serveOurs(primaryUrl, 'api,worker,bot', { OPERATOR_IDS: String(OPERATOR_ID), ...replica });
} else {
  await measure();
}

/** Totals of one PostgreSQL. */
interface Totals {
  readonly statements: number;
  readonly milliseconds: number;
  readonly blocks: number;
  readonly processorSeconds: number;
}

interface Phase {
  readonly primary: Totals;
  readonly standby: Totals;
  readonly reports: number;
  readonly perSecond: number;
  readonly p99: number;
}

interface Node {
  readonly url: string;
  readonly postmaster: number;
}

async function measure(): Promise<void> {
  const postgres = await startReplicatedPostgres(SETTINGS);
  const db = openDatabase({ url: postgres.primary.url, queryTimeoutMs: 600_000, onError: () => undefined });
  const primary = await nodeAt(postgres.primary.url);
  const standby = await nodeAt(postgres.standby.url);
  const found: Record<string, Phase[]> = { [WITHOUT]: [], [WITH]: [] };
  let server: Server | undefined;
  try {
    await db.query('CREATE EXTENSION pg_stat_statements');
    const start = (replica = ''): Promise<Server> =>
      startServer(import.meta.filename, ['ours', postgres.primary.url, replica]);
    server = await start();
    const { ground, readers } = await prepare(server.url, db);
    const firstOrder = await addOrders(db, ground, ORDERS);
    await addOldTasks(db, ground, { firstUser: 20_000_000, count: STORED_TASKS, firstOrder, orders: ORDERS });
    await addTransfers(db, ground, firstOrder);
    await db.query('VACUUM (ANALYZE)');
    progress(`${STORED_TASKS} tasks and as many transfers stored`);
    const next = await mixture(db, ground, firstOrder);
    const pages = pagesOf(ground, firstOrder);
    let rate = 0;
    for (let phase = 0; phase < PHASES; phase++) {
      for (const name of [WITHOUT, WITH]) {
        await server.stop();
        server = await start(name === WITH ? postgres.standby.url : '');
        await reloadBook(db, ORDERS);
        if (rate === 0)
          rate = (await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: 8 })).perSecond / 2;
        await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: 3, rate }); // plans and caches
        const before = [await totalsOf(primary), await totalsOf(standby)] as const;
        const reading = readReports(server.url, readers, pages);
        const load = await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: PHASE_SECONDS, rate });
        const reports = await reading;
        const after = [await totalsOf(primary), await totalsOf(standby)] as const;
        const result = {
          primary: difference(before[0], after[0]),
          standby: difference(before[1], after[1]),
          reports,
          perSecond: load.perSecond,
          p99: load.p99,
        };
        found[name]?.push(result);
        progress(`${name}: ${told(result)}`);
      }
    }
    print(found);
  } finally {
    await server?.stop();
    await db.close();
    await postgres.stop();
  }
}

async function nodeAt(url: string): Promise<Node> {
  const [file] = await query<{ text: string }>(url, "SELECT pg_read_file('postmaster.pid') AS text");
  return { url, postmaster: Number.parseInt(file?.text ?? '', 10) };
}

interface Readers {
  readonly publisher: Visitor;
  readonly advertiser: Visitor;
}

/** Creates a publisher and an advertiser who can open the console. The advertiser is an operator. */
async function prepare(url: string, db: OpenDatabase): Promise<{ ground: Ground; readers: Readers }> {
  await db.query("UPDATE orders SET status = 'cancelled' WHERE status = 'active'");
  const sandbox = new Sandbox(url);
  const publisher = await Visitor.signedIn(sandbox, { name: 'Publisher' });
  const advertiser = await Visitor.signedIn(sandbox, { name: 'Advertiser', deposit: 1e9, userId: OPERATOR_ID });
  const bot = await control<{ bot_id: number; api_token: string }>(url, '/bots', { account_id: publisher.accountId });
  const ground = {
    token: bot.api_token,
    botId: bot.bot_id,
    accountId: publisher.accountId,
    advertiserId: advertiser.accountId,
  };
  return { ground, readers: { publisher, advertiser } };
}

/** The fills write no transfers, and the verification of an empty ledger costs nothing. */
async function addTransfers(db: OpenDatabase, { accountId, botId }: Ground, firstOrder: number): Promise<void> {
  await db.query(
    `INSERT INTO ledger_transfers (kind, key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks, created_at,
                                   order_id, bot_id, user_id)
     SELECT 'reward_held', 'bench:' || i, 'escrow', $1::bigint + i % $2::int, 'hold', $3, 700, now(), $1::bigint + i % $2::int,
            $4, 20000000 + i
     FROM generate_series(1, $5::int) i`,
    [firstOrder, ORDERS, accountId, botId, STORED_TASKS],
  );
}

interface Pages {
  readonly statistics: readonly string[];
  readonly publisher: readonly string[];
  readonly advertiser: readonly string[];
  readonly books: string;
}

function pagesOf({ token, botId }: Ground, firstOrder: number): Pages {
  const statistic = (query: string): string => `/statistic?api_token=${token}&action=${query}`;
  return {
    statistics: [statistic('allbots'), statistic(`bots&bot_id=${botId}`)],
    publisher: ['/console', `/console/bots/${botId}`],
    advertiser: ['/console', `/console/orders/${firstOrder}`, `/console/orders/${firstOrder}/filters`],
    books: '/console/operator/books',
  };
}

/** Reads the reports in rounds that are spread over the phase. Returns how many were read. */
function readReports(url: string, { publisher, advertiser }: Readers, pages: Pages): Promise<number> {
  // The service has a new address in each phase; the sessions are in the database.
  const at = (path: string): string => new URL(path, url).href;
  let count = 0;
  const read = async (response: Promise<{ readonly status: number }>, path: string): Promise<void> => {
    const { status } = await response;
    if (status !== 200) throw new Error(`${path.replace(/api_token=[^&]+/, 'api_token=…')}: ${status}`);
    count += 1;
  };
  const run = async (): Promise<number> => {
    for (let round = 0; round < REPORT_ROUNDS; round++) {
      const begin = performance.now();
      const limit = AbortSignal.timeout(300_000);
      for (const path of pages.statistics) await read(fetch(at(path), { signal: limit }), path);
      for (const path of pages.publisher) await read(publisher.get(at(path)), path);
      for (const path of pages.advertiser) await read(advertiser.get(at(path)), path);
      if (round % VERIFY_EVERY === 0) {
        await read(advertiser.get(at(pages.books)), pages.books);
        await read(advertiser.post(at(pages.books)), `${pages.books}, verified`);
      }
      await sleep(Math.max(0, (PHASE_SECONDS * 1_000) / (REPORT_ROUNDS + 1) - (performance.now() - begin)));
    }
    return count;
  };
  const running = run();
  running.catch(() => undefined); // the caller awaits it after the load
  return running;
}

async function totalsOf({ url, postmaster }: Node): Promise<Totals> {
  // The statements of this program and of the filling are not those of the service.
  const [row] = await query<{ statements: number; milliseconds: number; blocks: number }>(
    url,
    `SELECT coalesce(sum(calls), 0)::float8 AS statements, coalesce(sum(total_exec_time), 0) AS milliseconds,
            coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 AS blocks
     FROM pg_stat_statements WHERE query NOT LIKE '%generate_series%' AND query NOT LIKE '%pg_stat_statements%'
       AND query NOT LIKE 'ANALYZE%'`,
  );
  const { statements = 0, milliseconds = 0, blocks = 0 } = row ?? {};
  return { statements, milliseconds, blocks, processorSeconds: (await processorOfTree(postmaster)) / 1e6 };
}

function difference(before: Totals, after: Totals): Totals {
  return {
    statements: after.statements - before.statements,
    milliseconds: after.milliseconds - before.milliseconds,
    blocks: after.blocks - before.blocks,
    processorSeconds: after.processorSeconds - before.processorSeconds,
  };
}

function told({ primary, standby, reports, perSecond, p99 }: Phase): string {
  const one = (of: Totals): string =>
    `${Math.round(of.statements)} statements, ${Math.round(of.milliseconds)} ms, ${Math.round(of.blocks)} blocks, ${of.processorSeconds.toFixed(1)} s of processor`;
  return `${Math.round(perSecond)} requests/s, p99 ${p99.toFixed(0)} ms, ${reports} reports; primary ${one(primary)}; standby ${one(standby)}`;
}

function print(found: Readonly<Record<string, readonly Phase[]>>): void {
  const of = (name: string, read: (phase: Phase) => number): number => median((found[name] ?? []).map(read));
  const figures: Record<string, number> = {};
  for (const key of ['statements', 'milliseconds', 'blocks', 'processorSeconds'] as const) {
    const before = of(WITHOUT, ({ primary }) => primary[key]);
    const left = of(WITH, ({ primary }) => primary[key]);
    const moved = of(WITH, ({ standby }) => standby[key]);
    figures[key] = Math.round((left / before) * 1000) / 1000;
    console.log(
      `${key.padEnd(17)} primary alone ${before.toFixed(1)}; with the replica ${left.toFixed(1)} (×${figures[key]}) and ${moved.toFixed(1)} on it`,
    );
  }
  const p99 = { p99Without: of(WITHOUT, (phase) => phase.p99), p99With: of(WITH, (phase) => phase.p99) };
  console.log(`p99 of the requests ${p99.p99Without.toFixed(1)} ms without, ${p99.p99With.toFixed(1)} ms with`);
  console.log(
    `\n${JSON.stringify({ name: 'replica', seconds: PHASE_SECONDS, tasks: STORED_TASKS, ...figures, ...p99 })}`,
  );
}
