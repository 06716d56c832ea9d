/**
 * Compares the cost of a request for tasks with 100 and with 100,000 active orders, in one run. `node
 * bench/orders-growth.ts`
 *
 * Measures first calls, because only they search for orders. The cost is the server's processor time per request, in
 * rounds that alternate between two processes, each with its own database.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { cost, showTasks } from './get-sponsors-load.ts';
import { median } from './random.ts';
import { onStage, progress, type Stage, serveOurs } from './stage.ts';
import { inTurns, type Turn } from './turns.ts';

const FEW = 100;
const MANY = 100_000;
const ROUNDS = 5;
const TARGET = 2;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

async function measure(): Promise<void> {
  await onStage(async (small) => {
    await onStage(async (large) => {
      const servers = { few: await fill(small, FEW), many: await fill(large, MANY) };
      const found = await inTurns(servers, { rounds: ROUNDS, told: (costs) => `${Math.round(costs)} µs` });
      print(found);
    });
  });
}

/** Starts a server with this many orders. Returns a function that measures the cost of a request. */
async function fill(stage: Stage, orders: number): Promise<() => Promise<number>> {
  const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
  const ground = await makeGround(server.url, stage.db);
  progress(`${orders} orders`);
  await addOrders(stage.db, ground, orders);
  await stage.db.query('ANALYZE');
  await reloadBook(stage.db, orders);
  const next = showTasks(ground);
  return async () => (await cost(server, next)).microseconds;
}

function print(found: readonly Turn<number>[]): void {
  const ratio = Math.round(median(found.map(({ few, many }) => many / few)) * 100) / 100;
  const [few, many] = [median(found.map((costs) => costs.few)), median(found.map((costs) => costs.many))];
  console.log(`first call with ${FEW} orders ${Math.round(few)} µs, with ${MANY} ${Math.round(many)} µs`);
  console.log(`\n${JSON.stringify({ name: 'orders-growth', ratio, targets: { ratio: TARGET } })}`);
  process.exitCode = ratio <= TARGET ? 0 : 1;
}
