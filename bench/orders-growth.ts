/**
 * What a request for tasks costs with 100 and with 100,000 active orders, in one run. `node bench/orders-growth.ts`
 *
 * First calls, which look for orders; a repeat caller does not look at all. Processor time of the server for one request,
 * in rounds that take turns between the two; a process each, on a database each.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { cost, type Round, showTasks } from './get-sponsors-load.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const SIZES = [100, 100_000] as const;
const ROUNDS = 5;
const TARGET = 2;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

async function measure(): Promise<void> {
  const found = new Map<number, Round[]>();
  for (const size of SIZES) {
    await onStage(async (stage) => {
      const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
      const ground = await makeGround(server.url, stage.db);
      progress(`${size} orders`);
      await addOrders(stage.db, ground, size);
      await stage.db.query('ANALYZE');
      await reloadBook(stage.db, size);
      const next = showTasks(ground);
      await cost(server, next); // warms up
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await cost(server, next));
      found.set(size, rounds);
      progress(`${Math.round(median(rounds.map(({ microseconds }) => microseconds)))} µs`);
    });
  }
  const of = (size: number): number => median((found.get(size) ?? []).map(({ microseconds }) => microseconds));
  const ratio = Math.round((of(SIZES[1]) / of(SIZES[0])) * 100) / 100;
  console.log(
    `first call with ${SIZES[0]} orders ${Math.round(of(SIZES[0]))} µs, with ${SIZES[1]} ${Math.round(of(SIZES[1]))} µs`,
  );
  console.log(`\n${JSON.stringify({ name: 'orders-growth', ratio, targets: { ratio: TARGET } })}`);
  process.exitCode = ratio <= TARGET ? 0 : 1;
}
