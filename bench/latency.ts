/**
 * The slowest hundredth of requests at half of what the server can take, against the middle one. `node bench/latency.ts`
 *
 * Nine repeat callers to one who comes for the first time. Requests come at a steady rate, whether or not earlier ones are
 * answered, and wait from the moment they were due.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, showTasks } from './get-sponsors-load.ts';
import { shoot } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const USERS = 3_000;
const ROUNDS = 5;
const TARGET = 5;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(server.url, stage.db);
    await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const users = Array.from({ length: USERS }, (_, i) => 8_800_000_000 + i);
    let given = 0;
    const everybody = () => (given < USERS ? ask(ground, users[given++] ?? 0) : undefined);
    await shoot({ url: server.url, next: everybody, connections: CONNECTIONS, seconds: 60 });
    await stage.db.query('ANALYZE');

    const first = showTasks(ground);
    let turn = 0;
    const next = (): Buffer => (++turn % 10 === 0 ? first() : ask(ground, users[turn % USERS] ?? 0));
    const load = { url: server.url, next, connections: CONNECTIONS };
    await shoot({ ...load, seconds: 2 });
    const most = (await shoot({ ...load, seconds: 3 })).perSecond;
    progress(`at most ${Math.round(most)}/s`);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { p50, p99, perSecond } = await shoot({ ...load, seconds: 3, rate: most / 2 });
      ratios.push(p99 / p50);
      progress(`${Math.round(perSecond)}/s: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    }
    const ratio = Math.round(median(ratios) * 100) / 100;
    console.log(`at half load p99 is ${ratio} × p50`);
    console.log(
      `\n${JSON.stringify({ name: 'latency', ratio, mostPerSecond: Math.round(most), targets: { ratio: TARGET } })}`,
    );
    process.exitCode = ratio <= TARGET ? 0 : 1;
  });
}
