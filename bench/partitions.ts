/**
 * Compares get-sponsors and confirms on whole tables and on tables that are partitioned by user, with ten million stored
 * tasks in each, in one run. `node bench/partitions.ts [rows] [partitions] [table …]` (needs about 8 GB of disk in the
 * temporary folder; the defaults are 10000000, 16 and all six tables)
 *
 * Two databases have a server each. Short rounds alternate, and each is compared with the other server's round of the
 * same turn, because the speed of a machine changes within seconds.
 */
import { PARTITIONABLE, partitionTable } from '../src/db/index.ts';
import { addOldTasks, addOrders, type Ground, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, confirmTasks, cost, showTasks } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { postmasterOf, processorOfTree } from './processor.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const ROUNDS = 5;
const CONFIRMS_A_ROUND = 2_000;
const REPEAT_USERS = 2_000;
const KINDS = ['repeat', 'first', 'confirm'] as const;

let lastUser = 9_100_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') {
  await serveOurs(argument);
} else {
  const [rows = '10000000', count = '16', ...tables] = process.argv.slice(2);
  await measure(Number(rows), Number(count), tables.length > 0 ? tables : PARTITIONABLE);
}

/** Microseconds of a call: of the time at full load, and of PostgreSQL's processor. */
interface Cost {
  readonly wall: number;
  readonly postgres: number;
}

type Costs = Record<(typeof KINDS)[number], Cost>;

interface Filled {
  readonly stage: Stage;
  readonly server: Server;
  readonly ground: Ground;
  readonly firstOrder: number;
  readonly repeatUsers: readonly number[];
  readonly postmaster: number;
}

async function measure(rows: number, count: number, tables: readonly string[]): Promise<void> {
  await onStage(async (one) => {
    await onStage(async (many) => {
      const whole = await fill(one, rows, []);
      const parted = await fill(
        many,
        rows,
        tables.map((table) => ({ table, count })),
      );
      const found: { whole: Costs; parted: Costs }[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const costs = { whole: await costsOf(whole), parted: await costsOf(parted) };
        if (round > 0) found.push(costs); // the first round warms up
        progress(`round ${round} of ${ROUNDS}: ${told(costs.whole)} whole, ${told(costs.parted)} partitioned`);
      }
      print(found, { rows, count, tables });
    });
  });
}

async function fill(
  stage: Stage,
  rows: number,
  partitions: readonly { table: string; count: number }[],
): Promise<Filled> {
  const begin = performance.now();
  const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
  for (const { table, count } of partitions) await partitionTable(stage.databaseUrl, { table, count });
  const ground = await makeGround(server.url, stage.db);
  const firstOrder = await addOrders(stage.db, ground, ORDERS);
  await reloadBook(stage.db, ORDERS);
  await addOldTasks(stage.db, ground, { firstUser: 20_000_000, count: rows, firstOrder, orders: ORDERS });
  const repeatUsers = Array.from({ length: REPEAT_USERS }, () => ++lastUser);
  let given = 0;
  await sendLoad({
    url: server.url,
    next: () => (given < repeatUsers.length ? ask(ground, repeatUsers[given++] ?? 0) : undefined),
    connections: CONNECTIONS,
    seconds: 60,
  });
  await stage.db.query('VACUUM (ANALYZE) task_lists, tasks, counted_subscriptions, memberships, audience_users');
  const [backend] = await stage.db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = await postmasterOf(backend?.pid ?? 0);
  progress(`${rows} tasks stored, filled in ${Math.round((performance.now() - begin) / 1000)} s`);
  return { stage, server, ground, firstOrder, repeatUsers, postmaster };
}

async function costsOf(filled: Filled): Promise<Costs> {
  const { stage, server, ground, firstOrder, repeatUsers, postmaster } = filled;
  let turn = 0;
  const repeat = (): Buffer => ask(ground, repeatUsers[turn++ % repeatUsers.length] ?? 0);
  const metered = async (load: () => Promise<{ perSecond: number; answers: number }>): Promise<Cost> => {
    const before = await processorOfTree(postmaster);
    const { perSecond, answers } = await load();
    return { wall: 1e6 / perSecond, postgres: ((await processorOfTree(postmaster)) - before) / answers };
  };
  const firstUser = lastUser + 1;
  lastUser += CONFIRMS_A_ROUND;
  const open = { firstUser, users: CONFIRMS_A_ROUND, firstOrder, orders: ORDERS };
  const next = await confirmTasks(stage.db, ground, open);
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
