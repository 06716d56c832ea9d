/**
 * The slowest hundredth of requests at half of what the server can take, against the middle one. `node bench/latency.ts`
 *
 * Nine repeat callers to one who comes for the first time. Requests come at a steady rate, whether or not earlier ones are
 * answered, and wait from the moment they were due. Requests that were due while the machine itself was slow are told apart
 * (`machine.ts`), and a bare Fastify at half of what it can take is measured in turns, for what the machine does to a server
 * that does nothing.
 */
import { answerFor, serveBare } from './bare-server.ts';
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, showTasks } from './get-sponsors-load.ts';
import { type Percentiles, percentiles, shoot } from './load.ts';
import { watchMachine } from './machine.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const USERS = 3_000;
const ROUNDS = 7;
const ROUND_SECONDS = 3;
const SLICE_MS = 500;
const TARGET = 5;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else if (role === 'bare') await serveBare(argument);
else await measure();

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const ours = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(ours.url, stage.db);
    await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const users = Array.from({ length: USERS }, (_, i) => 8_800_000_000 + i);
    let given = 0;
    const everybody = () => (given < USERS ? ask(ground, users[given++] ?? 0) : undefined);
    await shoot({ url: ours.url, next: everybody, connections: CONNECTIONS, seconds: 60 });
    await stage.db.query('ANALYZE');
    const bare = await stage.start(import.meta.filename, 'bare', await answerFor(ours, ground, users[0] ?? 0));

    const first = showTasks(ground);
    let turn = 0;
    const next = (): Buffer => (++turn % 10 === 0 ? first() : ask(ground, users[turn % USERS] ?? 0));
    const loads = { ours: { url: ours.url, next }, bare: { url: bare.url, next } };
    const most = { ours: await mostOf(loads.ours), bare: await mostOf(loads.bare) };
    const found: Record<keyof typeof loads, Slice[]> = { ours: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['bare', 'ours'] as const) {
        const slices = await atHalf(loads[name], most[name]);
        found[name].push(...slices);
        const quiet = slices.filter(({ isUndisturbed }) => isUndisturbed).length;
        progress(
          `${name}, ${Math.round(most[name] / 2)}/s: ${quiet} of ${slices.length} slices undisturbed by the machine`,
        );
      }
    }
    print(found, most.ours);
  });
}

function print({ ours, bare }: { ours: readonly Slice[]; bare: readonly Slice[] }, most: number): void {
  const ratioOf = (slices: readonly Slice[]): number =>
    Math.round(median(slices.map(({ p50, p99 }) => p99 / p50)) * 100) / 100;
  const quiet = (slices: readonly Slice[]): Slice[] => slices.filter(({ isUndisturbed }) => isUndisturbed);
  const figures = {
    ratio: ratioOf(quiet(ours)),
    bare: ratioOf(quiet(bare)),
    disturbed: { ratio: ratioOf(ours), bare: ratioOf(bare) },
  };
  console.log(`at half load p99 is ${figures.ratio} × p50`);
  const targets = { ratio: TARGET };
  console.log(`\n${JSON.stringify({ name: 'latency', ...figures, mostPerSecond: Math.round(most), targets })}`);
  process.exitCode = figures.ratio <= TARGET ? 0 : 1;
}

interface Load {
  readonly url: string;
  readonly next: () => Buffer;
}

async function mostOf(load: Load): Promise<number> {
  await shoot({ ...load, connections: CONNECTIONS, seconds: 2 });
  return (await shoot({ ...load, connections: CONNECTIONS, seconds: 3 })).perSecond;
}

/** Half a second of requests. */
interface Slice extends Percentiles {
  /** Whether the machine ran at its own pace all the time. */
  readonly isUndisturbed: boolean;
}

async function atHalf(load: Load, most: number): Promise<Slice[]> {
  const watch = await watchMachine();
  const slices: { from: number; milliseconds: number[] }[] = [];
  const begin = performance.now();
  await shoot({
    ...load,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    rate: most / 2,
    onAnswer(dueAt, milliseconds) {
      const i = Math.max(0, Math.floor((dueAt - begin) / SLICE_MS));
      slices[i] ??= { from: begin + i * SLICE_MS, milliseconds: [] };
      slices[i].milliseconds.push(milliseconds);
    },
  });
  const wasSlow = (await watch?.stop()) ?? (() => false);
  return slices
    .filter(({ milliseconds }) => milliseconds.length >= (most * SLICE_MS) / 4_000) // the first and the last may be cut
    .map(({ from, milliseconds }) => ({
      ...percentiles(milliseconds),
      isUndisturbed: !wasSlow({ from, to: from + SLICE_MS }),
    }));
}
