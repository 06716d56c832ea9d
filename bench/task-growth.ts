/**
 * Compares the cost of get-sponsors and confirm with ten thousand and with ten million stored tasks, in one run. `node
 * bench/task-growth.ts` (needs about 4 GB of disk in the temporary folder and a few minutes)
 *
 * Two databases have a server each. Short rounds alternate, and each is compared with the other server's round of the
 * same turn, because the speed of a machine changes within seconds.
 */
import { addOldTasks, addOrders, type Ground, makeGround, reloadBook } from './fill.ts';
import { CONNECTIONS, confirmTasks, cost, showTasks } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, serveOurs } from './stage.ts';
import { inTurns, type Turn } from './turns.ts';

const FEW = 10_000;
const MANY = 10_000_000;
const ORDERS = 1_000;
const ROUNDS = 5;
const CONFIRMS_A_ROUND = 5_000;
const TARGET = 1.3;

let lastUser = 9_000_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

interface Costs {
  /** Seconds per thousand requests at full load. */
  readonly getSponsors: number;
  readonly confirm: number;
}

/** A server on a database with many or few stored tasks. */
interface Filled {
  readonly stage: Stage;
  readonly server: Server;
  readonly ground: Ground;
  readonly firstOrder: number;
}

async function measure(): Promise<void> {
  await onStage(async (small) => {
    await onStage(async (large) => {
      const [few, many] = [await fill(small, FEW), await fill(large, MANY)];
      const servers = { few: () => costsOf(few), many: () => costsOf(many) };
      const found = await inTurns(servers, { rounds: ROUNDS, told });
      print(found);
    });
  });
}

async function fill(stage: Stage, count: number): Promise<Filled> {
  const begin = performance.now();
  const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
  const ground = await makeGround(server.url, stage.db);
  const firstOrder = await addOrders(stage.db, ground, ORDERS);
  await reloadBook(stage.db, ORDERS);
  await addOldTasks(stage.db, ground, { firstUser: 20_000_000, count, firstOrder, orders: ORDERS });
  await stage.db.query('VACUUM (ANALYZE) task_lists, tasks');
  progress(`${count} tasks stored, filled in ${Math.round((performance.now() - begin) / 1000)} s`);
  return { stage, server, ground, firstOrder };
}

async function costsOf({ stage, server, ground, firstOrder }: Filled): Promise<Costs> {
  const getSponsors = 1000 / (await cost(server, showTasks(ground))).perSecond;
  const firstUser = lastUser + 1;
  lastUser += CONFIRMS_A_ROUND;
  const open = { firstUser, users: CONFIRMS_A_ROUND, firstOrder, orders: ORDERS };
  const next = await confirmTasks(stage.db, ground, open);
  const result = await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: 30 });
  return { getSponsors, confirm: 1000 / result.perSecond };
}

function told({ getSponsors, confirm }: Costs): string {
  return `${Math.round(1000 / getSponsors)} and ${Math.round(1000 / confirm)}/s`;
}

function print(found: readonly Turn<Costs>[]): void {
  const ratio = (key: keyof Costs): number =>
    Math.round(median(found.map(({ few, many }) => many[key] / few[key])) * 100) / 100;
  const figures = { getSponsors: ratio('getSponsors'), confirm: ratio('confirm') };
  console.log('cost with 10 million stored tasks, against 10 thousand');
  console.log(`get-sponsors ×${figures.getSponsors}, confirm ×${figures.confirm}`);
  console.log(
    `\n${JSON.stringify({ name: 'task-growth', ...figures, targets: { getSponsors: TARGET, confirm: TARGET } })}`,
  );
  process.exitCode = Math.max(figures.getSponsors, figures.confirm) <= TARGET ? 0 : 1;
}
