/**
 * Compares get-sponsors and confirms on whole tables and on tables that are partitioned by user, with ten million stored
 * tasks, in one run. `node bench/partitions.ts [rows] [partitions] [variant …]` (needs about 12 GB of disk in the temporary
 * folder). A variant names the partitioned tables, such as `tasks+task_lists`. The default is 10000000, 16, all six tables
 * together, and each of them alone.
 *
 * The rows are created once, in both forms, in one database. A server finds the forms that it shall use by its search path.
 * Short rounds alternate between two servers, and each is compared with the other server's round of the same turn, because
 * the speed of a machine changes within seconds.
 */
import { type OpenDatabase, openDatabase, PARTITIONABLE, partitionTable } from '../src/db/index.ts';
import { addOldTasks, addOrders, type Ground, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, confirmTasks, cost, showTasks } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { postmasterOf, processorOfTree } from './processor.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const ROUNDS = Number(process.env.PARTITIONS_ROUNDS ?? 5);
const CONFIRMS_A_ROUND = 4_000;
const REPEAT_USERS = 2_000;
const KINDS = ['repeat', 'first', 'confirm'] as const;
/** Filling takes longer than a statement of the service may. */
const FILL_LIMIT_MS = 600_000;

let lastUser = 9_100_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') {
  await serveOurs(argument);
} else {
  const [rows = '10000000', count = '16', ...variants] = process.argv.slice(2);
  const all = [PARTITIONABLE.join('+'), ...PARTITIONABLE];
  await measure(
    Number(rows),
    Number(count),
    (variants.length > 0 ? variants : all).map((variant) => variant.split('+')),
  );
}

/** Microseconds of a call: of the time at full load, and of PostgreSQL's processor. */
interface Cost {
  readonly wall: number;
  readonly postgres: number;
}

type Costs = Record<(typeof KINDS)[number], Cost>;

interface Filled {
  readonly db: OpenDatabase;
  readonly server: Server;
  readonly ground: Ground;
  readonly firstOrder: number;
  readonly repeatUsers: readonly number[];
  readonly postmaster: number;
}

async function measure(rows: number, count: number, variants: readonly (readonly string[])[]): Promise<void> {
  await onStage(async (stage) => {
    // A vacuum of the filled tables would disturb the rounds.
    await stage.db.query('ALTER SYSTEM SET autovacuum = off');
    await stage.db.query('SELECT pg_reload_conf()');
    const [backend] = await stage.db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const postmaster = await postmasterOf(backend?.pid ?? 0);
    const stored = await fill(stage, rows, count);

    const start = async (tables: readonly string[]): Promise<Filled> => {
      const url = urlFor(stage.databaseUrl, tables);
      const db = openDatabase({ url, onError: () => undefined });
      const server = await stage.start(import.meta.filename, 'ours', url);
      await reloadBook(db, ORDERS);
      const repeatUsers = Array.from({ length: REPEAT_USERS }, () => ++lastUser);
      let given = 0;
      await sendLoad({
        url: server.url,
        next: () => (given < repeatUsers.length ? ask(stored.ground, repeatUsers[given++] ?? 0) : undefined),
        connections: CONNECTIONS,
        seconds: 60,
      });
      return { ...stored, db, server, repeatUsers, postmaster };
    };
    const whole = await start([]);
    for (const tables of variants) {
      const parted = await start(tables);
      const found: { whole: Costs; parted: Costs }[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const costs = { whole: await costsOf(whole), parted: await costsOf(parted) };
        if (round > 0) found.push(costs); // the first round warms up
        progress(`round ${round} of ${ROUNDS}: ${told(costs.whole)} whole, ${told(costs.parted)} partitioned`);
      }
      await parted.server.stop();
      await parted.db.close();
      print(found, { rows, count, tables });
    }
    await whole.db.close();
  });
}

/**
 * Returns an address under which these tables are the partitioned ones and the others are whole: each form of each table is
 * in a schema of its own.
 */
function urlFor(url: string, tables: readonly string[]): string {
  const schemas = PARTITIONABLE.map((table) => `${tables.includes(table) ? 'parted' : 'whole'}_${table}`);
  const changed = new URL(url);
  changed.searchParams.set('options', `-csearch_path=${['public', ...schemas].join(',')}`);
  return changed.href;
}

/** Creates the rows of every table in both forms. */
async function fill(stage: Stage, rows: number, count: number): Promise<Pick<Filled, 'ground' | 'firstOrder'>> {
  const begin = performance.now();
  const say = (text: string): void => progress(`${text} after ${Math.round((performance.now() - begin) / 1000)} s`);
  const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
  const ground = await makeGround(server.url, stage.db);
  const firstOrder = await addOrders(stage.db, ground, ORDERS);
  await server.stop();
  for (const table of PARTITIONABLE) {
    await partitionTable(stage.databaseUrl, { table, count });
    for (const form of ['whole', 'parted']) await stage.db.query(`CREATE SCHEMA ${form}_${table}`);
    await stage.db.query(`ALTER TABLE ${table} SET SCHEMA parted_${table}`);
    await stage.db.query(`ALTER TABLE ${table}_whole SET SCHEMA whole_${table}`);
    await stage.db.query(`ALTER TABLE whole_${table}.${table}_whole RENAME TO ${table}`);
  }
  const url = urlFor(stage.databaseUrl, PARTITIONABLE);
  const db = openDatabase({ url, queryTimeoutMs: FILL_LIMIT_MS, onError: () => undefined });
  await addOldTasks(db, ground, { firstUser: 20_000_000, count: rows, firstOrder, orders: ORDERS });
  say(`${rows} tasks stored`);
  await Promise.all([
    db.query(
      `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, source, observed_at)
       SELECT c.user_id, r.chat_id, true, now(), 'update', now()
       FROM counted_subscriptions c JOIN resources r ON r.id = c.resource_id ON CONFLICT DO NOTHING`,
    ),
    db.query(
      `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at)
       SELECT user_id, now(), '{"language": "ru"}', now() FROM task_lists WHERE bot_id = $1 ON CONFLICT DO NOTHING`,
      [ground.botId],
    ),
    db.query(
      `INSERT INTO audience_values (user_id, field, value, source, learned_at)
       SELECT user_id, 'city', '"Tver"', 'bot_api', now() FROM task_lists WHERE bot_id = $1 AND user_id % 4 = 0 ON CONFLICT DO NOTHING`,
      [ground.botId],
    ),
  ]);
  const queue = [...PARTITIONABLE];
  const copy = async (): Promise<void> => {
    for (let table = queue.shift(); table !== undefined; table = queue.shift()) {
      await db.query(`TRUNCATE whole_${table}.${table}`);
      await db.query(`INSERT INTO whole_${table}.${table} SELECT * FROM ${table}`);
    }
  };
  await Promise.all([copy(), copy()]); // two at a time, for two cores
  say('both forms filled');
  await db.query('ANALYZE');
  await db.query('CHECKPOINT');
  say('analyzed and written');
  await db.close();
  return { ground, firstOrder };
}

async function costsOf(filled: Filled): Promise<Costs> {
  const { db, server, ground, firstOrder, repeatUsers, postmaster } = filled;
  let turn = 0;
  const repeat = (): Buffer => ask(ground, repeatUsers[turn++ % repeatUsers.length] ?? 0);
  const metered = async (load: () => Promise<{ perSecond: number; answers: number }>): Promise<Cost> => {
    const before = await processorOfTree(postmaster);
    const { perSecond, answers } = await load();
    return { wall: 1e6 / perSecond, postgres: ((await processorOfTree(postmaster)) - before) / answers };
  };
  const firstUser = lastUser + 1;
  lastUser += CONFIRMS_A_ROUND;
  // Production analyzes such tables every few hours, so the plans of a round stay.
  const open = { firstUser, users: CONFIRMS_A_ROUND, firstOrder, orders: ORDERS, isAnalyzed: false };
  const next = await confirmTasks(db, ground, open);
  return {
    repeat: await metered(() => cost(server, repeat)),
    first: await metered(() => cost(server, showTasks(ground))),
    confirm: await metered(() => sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: 60 })),
  };
}

function told(costs: Costs): string {
  return KINDS.map((kind) => `${kind} ${costs[kind].wall.toFixed(0)}/${costs[kind].postgres.toFixed(0)} µs`).join(', ');
}

function print(
  found: readonly { whole: Costs; parted: Costs }[],
  about: { rows: number; count: number; tables: readonly string[] },
): void {
  console.log(
    `${about.tables.join(', ')} in ${about.count} partitions, ${about.rows} stored tasks, against whole tables`,
  );
  const figures: Record<string, number> = {};
  for (const kind of KINDS) {
    for (const part of ['wall', 'postgres'] as const) {
      const ratio = median(found.map(({ whole, parted }) => parted[kind][part] / whole[kind][part]));
      figures[`${kind} ${part}`] = Math.round(ratio * 1000) / 1000;
      const [before, after] = [
        median(found.map(({ whole }) => whole[kind][part])),
        median(found.map(({ parted }) => parted[kind][part])),
      ];
      console.log(
        `${kind.padEnd(8)} ${part.padEnd(9)} ${before.toFixed(0).padStart(5)} → ${after.toFixed(0).padStart(5)} µs  ×${ratio.toFixed(3)}`,
      );
    }
  }
  console.log(`\n${JSON.stringify({ name: 'partitions', ...about, ...figures })}`);
}
