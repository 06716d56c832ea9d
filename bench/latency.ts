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
import { percentiles, shoot } from './load.ts';
import { watchMachine } from './machine.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ORDERS = 1_000;
const USERS = 3_000;
const ROUNDS = 7;
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
    const found: Record<keyof typeof loads, Round[]> = { ours: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['bare', 'ours'] as const) {
        const shot = await atHalf(loads[name], most[name]);
        found[name].push(shot);
        progress(`${name}, ${Math.round(most[name] / 2)}/s: ${told(shot)}`);
      }
    }
    const of = (name: keyof typeof loads, key: keyof Round): number =>
      Math.round(median(found[name].map((round) => round[key])) * 100) / 100;
    const ratio = of('ours', 'ratio');
    console.log(
      `at half load p99 is ${ratio} × p50; with the moments in which the machine was slow ${of('ours', 'raw')} ×`,
    );
    console.log(`a bare Fastify: ${of('bare', 'ratio')} ×; with those moments ${of('bare', 'raw')} ×`);
    const figures = { ratio, raw: of('ours', 'raw'), bare: of('bare', 'ratio'), bareRaw: of('bare', 'raw') };
    console.log(
      `\n${JSON.stringify({ name: 'latency', ...figures, mostPerSecond: Math.round(most.ours), targets: { ratio: TARGET } })}`,
    );
    process.exitCode = ratio <= TARGET ? 0 : 1;
  });
}

interface Load {
  readonly url: string;
  readonly next: () => Buffer;
}

interface Round {
  /** p99 against p50 of the requests that were due while the machine ran at its own pace, and of all of them. */
  readonly ratio: number;
  readonly raw: number;
  readonly p50: number;
  readonly p99: number;
  /** Which share of the requests was left out. */
  readonly slow: number;
}

async function mostOf(load: Load): Promise<number> {
  await shoot({ ...load, connections: CONNECTIONS, seconds: 2 });
  return (await shoot({ ...load, connections: CONNECTIONS, seconds: 3 })).perSecond;
}

async function atHalf(load: Load, most: number): Promise<Round> {
  const watch = await watchMachine();
  const answers: { dueAt: number; milliseconds: number }[] = [];
  const all = await shoot({
    ...load,
    connections: CONNECTIONS,
    seconds: 3,
    rate: most / 2,
    onAnswer: (dueAt, milliseconds) => answers.push({ dueAt, milliseconds }),
  });
  const wasSlow = (await watch?.stop()) ?? (() => false);
  const kept = answers.filter(({ dueAt }) => !wasSlow(dueAt)).map(({ milliseconds }) => milliseconds);
  const { p50, p99 } = percentiles(kept);
  return { ratio: p99 / p50, raw: all.p99 / all.p50, p50, p99, slow: 1 - kept.length / answers.length };
}

function told({ p50, p99, ratio, raw, slow }: Round): string {
  const left = `${Math.round(slow * 100)} % were due while the machine was slow`;
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms: ${ratio.toFixed(1)} × (with all ${raw.toFixed(1)} ×: ${left})`;
}
