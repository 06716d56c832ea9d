/**
 * Runs half of the load that one process can carry for a long time, to check that memory and other resources do not
 * grow. `node bench/soak.ts` runs 20 minutes, `node bench/soak.ts 2` two. Not part of `npm run bench`.
 *
 * One process runs all roles on its own PostgreSQL. Of ten requests eight are from repeat callers, one is a user's
 * first call and one confirms a task. The medians of the second and the last quarter are compared, because the process
 * is warm by then.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { CONNECTIONS } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { median } from './random.ts';
import { mixture, ORDERS } from './soak-load.ts';
import { type Inside, onStage, progress, type Stage, serveOurs } from './stage.ts';

const SAMPLE_SECONDS = 15;
/** The allowed growth. Memory varies within it; a leak exceeds it. */
const MOST_GROWTH = 1.1;

const [, , first = '20', argument = ''] = process.argv;
if (first === 'ours') await serveOurs(argument, 'api,worker,bot');
else await soak(Number(first));

interface Sample {
  readonly inside: Inside;
  readonly connections: number;
  readonly p99: number;
  readonly perSecond: number;
}

async function soak(minutes: number): Promise<void> {
  await onStage(async (stage) => {
    const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(server.url, stage.db);
    const firstOrder = await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const next = await mixture(stage.db, ground, firstOrder);

    const most = await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: 10 });
    const rate = most.perSecond / 2;
    progress(`at most ${Math.round(most.perSecond)} requests a second; ${Math.round(rate)} for ${minutes} minutes`);
    const samples: Sample[] = [];
    for (let taken = 0; taken < (minutes * 60) / SAMPLE_SECONDS; taken++) {
      const result = await sendLoad({ url: server.url, next, connections: CONNECTIONS, seconds: SAMPLE_SECONDS, rate });
      samples.push({ inside: await server.inside(), connections: await countConnections(stage), ...result });
      progress(describe(samples.at(-1), taken * SAMPLE_SECONDS));
    }
    print(samples, minutes);
  });
}

async function countConnections({ db }: Stage): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    "SELECT count(*) AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  return Number(row?.count ?? 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

function describe(sample: Sample | undefined, seconds: number): string {
  if (sample === undefined) return '';
  const { inside, connections, p99, perSecond } = sample;
  const { Timeout: timers = 0, TCPSocketWrap: sockets = 0 } = inside.resources;
  return `${String(seconds).padStart(5)} s: ${Math.round(perSecond)}/s, p99 ${p99.toFixed(1)} ms, heap ${megabytes(inside.heapBytes)} MB, resident ${megabytes(inside.residentBytes)} MB, ${timers} timers, ${sockets} sockets, ${connections} connections`;
}

function print(samples: readonly Sample[], minutes: number): void {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [early, late] = [samples.slice(quarter, quarter * 2), samples.slice(-quarter)];
  const growth = (of: (sample: Sample) => number): number =>
    Math.round((median(late.map(of)) / Math.max(1, median(early.map(of)))) * 1000) / 1000;
  const figures = {
    heap: growth(({ inside }) => inside.heapBytes),
    resident: growth(({ inside }) => inside.residentBytes),
    timers: growth(({ inside }) => inside.resources.Timeout ?? 0),
    sockets: growth(({ inside }) => inside.resources.TCPSocketWrap ?? 0),
    connections: growth(({ connections }) => connections),
    p99: growth(({ p99 }) => p99),
  };
  console.log(`\nthe last quarter of ${minutes} minutes against the second, medians`);
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(12)} ×${value}`);
  console.log(`\n${JSON.stringify({ name: 'soak', minutes, ...figures })}`);
  // Sockets belong to the load and latencies depend on the machine, so both are printed without a limit.
  const { heap, resident, timers, connections } = figures;
  process.exitCode = Math.max(heap, resident, timers, connections) <= MOST_GROWTH ? 0 : 1;
}
