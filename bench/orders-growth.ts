/**
 * What a request for tasks costs with 100 and with 100,000 active orders, in one run. `node bench/orders-growth.ts`
 *
 * First calls, which look for orders; a repeat caller does not look at all. Processor time of the server for one request,
 * in rounds that take turns between the two; a process each, on a database each.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { cost, showTasks } from './get-sponsors-load.ts';
import { median } from './random.ts';
import { onStage, progress, type Stage, serveOurs } from './stage.ts';

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
      const few = await fill(small, FEW);
      const many = await fill(large, MANY);
      const found: { few: number; many: number }[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const costs = { few: await few(), many: await many() };
        if (round > 0) found.push(costs); // the first warms up
        progress(`round ${round} of ${ROUNDS}: ${Math.round(costs.few)} and ${Math.round(costs.many)} µs`);
      }
      print(found);
    });
  });
}

/** A server with so many orders; answers how to measure one of its requests. */
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

function print(found: readonly { few: number; many: number }[]): void {
  const ratio = Math.round(median(found.map(({ few, many }) => many / few)) * 100) / 100;
  const [few, many] = [median(found.map((costs) => costs.few)), median(found.map((costs) => costs.many))];
  console.log(`first call with ${FEW} orders ${Math.round(few)} µs, with ${MANY} ${Math.round(many)} µs`);
  console.log(`\n${JSON.stringify({ name: 'orders-growth', ratio, targets: { ratio: TARGET } })}`);
  process.exitCode = ratio <= TARGET ? 0 : 1;
}
