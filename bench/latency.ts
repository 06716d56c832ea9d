/**
 * Compares the 99th percentile of the latency with the median at half of the server's capacity. `node bench/latency.ts`
 *
 * Nine of ten requests are from repeat callers and one is a first call. Each kind is compared with itself, because a
 * first call does more work. Requests are sent at a steady rate, whether or not earlier ones have a response, and their
 * latency counts from the time when they were due. Half seconds in which the machine itself was slow are reported
 * separately (`machine.ts`). A bare Fastify at half of its capacity is measured in turns, to show the effect of the
 * machine on a server that does no work.
 */
import { answerFor, serveBare } from './bare-server.ts';
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, showTasks } from './get-sponsors-load.ts';
import { type LoadOptions, type Percentiles, percentiles, sendLoad } from './load.ts';
import { watchMachine } from './machine.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const USERS = 3_000;
const ROUNDS = 6;
const ROUND_SECONDS = 3;
const SLICE_MS = 500;
const TARGET = 5;
const KINDS = ['repeat', 'first', 'bare'] as const;
/** The share of first calls among all requests. */
const FIRST_CALLS = 0.1;

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
    await sendLoad({ url: ours.url, next: everybody, connections: CONNECTIONS, seconds: 60 });
    await stage.db.query('ANALYZE');
    const bare = await stage.start(import.meta.filename, 'bare', await answerFor(ours, ground, users[0] ?? 0));

    const first = showTasks(ground);
    let turn = 0;
    const repeat = (): Buffer => ask(ground, users[turn++ % USERS] ?? 0);
    const mixed = (): Buffer => (Math.random() < FIRST_CALLS ? first() : repeat());
    const most = { ours: await mostOf(ours.url, mixed), bare: await mostOf(bare.url, mixed) };
    progress(`at most ${Math.round(most.ours)}/s, bare ${Math.round(most.bare)}/s`);
    const found: Found = { repeat: [], first: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const watch = await watchMachine();
      const half = { ours: most.ours / 2, bare: most.bare / 2 };
      const bareSlices = await slicesOf({ url: bare.url, next: repeat, rate: half.bare, connections: CONNECTIONS });
      const [repeatSlices, firstSlices] = await Promise.all([
        slicesOf({ url: ours.url, next: repeat, rate: half.ours * (1 - FIRST_CALLS), connections: CONNECTIONS }),
        slicesOf({ url: ours.url, next: first, rate: half.ours * FIRST_CALLS, connections: CONNECTIONS }),
      ]);
      const wasSlow = (await watch?.stop()) ?? (() => false);
      const judged = (slices: readonly Sent[]): Slice[] =>
        slices.map(({ from, milliseconds }) => ({
          ...percentiles(milliseconds),
          isQuiet: !wasSlow({ from, to: from + SLICE_MS }),
        }));
      const now: Found = { repeat: judged(repeatSlices), first: judged(firstSlices), bare: judged(bareSlices) };
      for (const kind of KINDS) found[kind].push(...now[kind]);
      const quiet = now.repeat.filter(({ isQuiet }) => isQuiet).length;
      progress(`round ${round + 1} of ${ROUNDS}: the machine left ${quiet} of ${now.repeat.length} half seconds alone`);
    }
    print(found, most.ours);
  });
}

type Found = Record<(typeof KINDS)[number], Slice[]>;

/** The requests of half a second. */
interface Sent {
  readonly from: number;
  readonly milliseconds: number[];
}

interface Slice extends Percentiles {
  /** Whether the machine ran at full speed during the whole slice. */
  readonly isQuiet: boolean;
}

async function mostOf(url: string, next: () => Buffer): Promise<number> {
  await sendLoad({ url, next, connections: CONNECTIONS, seconds: 2 });
  return (await sendLoad({ url, next, connections: CONNECTIONS, seconds: 3 })).perSecond;
}

async function slicesOf(load: Omit<LoadOptions, 'seconds' | 'onAnswer'> & { readonly rate: number }): Promise<Sent[]> {
  const slices: Sent[] = [];
  const begin = performance.now();
  await sendLoad({
    ...load,
    seconds: ROUND_SECONDS,
    onAnswer(dueAt, milliseconds) {
      const i = Math.max(0, Math.floor((dueAt - begin) / SLICE_MS));
      slices[i] ??= { from: begin + i * SLICE_MS, milliseconds: [] };
      slices[i].milliseconds.push(milliseconds);
    },
  });
  const usual = (load.rate * SLICE_MS) / 1_000;
  return slices.filter(({ milliseconds }) => milliseconds.length >= usual / 2); // the first and last may be cut
}

function print(found: Found, most: number): void {
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const ratioOf = (slices: readonly Slice[]): number => rounded(median(slices.map(({ p50, p99 }) => p99 / p50)));
  const quiet = (slices: readonly Slice[]): Slice[] => slices.filter(({ isQuiet }) => isQuiet);
  console.log('at half load, medians of half seconds; in brackets with those in which the machine was slow\n');
  for (const kind of KINDS) {
    const [p50, p99] = (['p50', 'p99'] as const).map((key) => median(quiet(found[kind]).map((slice) => slice[key])));
    const ratio = `p99 is ${ratioOf(quiet(found[kind]))} (${ratioOf(found[kind])}) × p50`;
    console.log(`${kind.padEnd(7)} p50 ${p50?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms: ${ratio}`);
  }
  const [repeat, first, bare] = KINDS.map((kind) => ratioOf(quiet(found[kind])));
  const ratio = Math.max(repeat ?? Number.NaN, first ?? Number.NaN);
  const figures = { ratio, repeat, first, bare, mostPerSecond: Math.round(most) };
  console.log(`\n${JSON.stringify({ name: 'latency', ...figures, targets: { ratio: TARGET } })}`);
  process.exitCode = ratio <= TARGET ? 0 : 1;
}
