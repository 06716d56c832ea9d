/**
 * Compares the requests for tasks per second of repeat callers with one API process and with two on the same
 * PostgreSQL, in one run. `node bench/two-processes.ts`
 *
 * Short rounds alternate, and the medians are compared. The client and PostgreSQL share the machine with the API
 * processes. On two cores two API processes need more than is left, so that ratio would measure the cores and not the
 * service. Therefore there are two measurements: one with each API process limited to a part of a core, so that all
 * processes fit on the machine as they would on four cores, and one without a limit. Only the first has a target.
 */
import { availableParallelism } from 'node:os';
import { addOrders, type Ground, makeGround } from './fill.ts';
import { holdTo } from './hold.ts';
import { type LoadResult, request, sendLoad } from './load.ts';
import { postmasterOf, processorOfTree } from './processor.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, serveOurs } from './stage.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 2;
/** Connections per API process, because a second process is added for more callers. */
const CONNECTIONS = 64;
const ORDERS = 1_000;
const USERS = 5_000;
/** The share of a core per API process. With two of them, PostgreSQL and the client have more than one core left. */
const SHARE = 0.35;
const TARGET = 1.6;

let lastUser = 8_500_000_000;

const [, , role, databaseUrl = ''] = process.argv;
if (role === 'ours') await serveOurs(databaseUrl);
else if (role === 'held') await serveOurs(databaseUrl).then(() => holdTo(SHARE));
else await measure();

type Rounds = Record<'one' | 'two', Round[]>;

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const [first, second] = [await start(stage, 'held'), await start(stage, 'held')];
    const ground = await makeGround(first.url, stage.db);
    await addOrders(stage.db, ground, ORDERS);
    await stage.db.query(`SELECT pg_notify('sponsorgate_changes', 'everything')`);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const next = await giveTasks(first, ground);
    await stage.db.query('ANALYZE');
    const [{ pid } = { pid: 0 }] = await stage.db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const postmaster = await postmasterOf(pid);

    const held = await compare('held', [first, second], next, postmaster);
    await Promise.all([first.stop(), second.stop()]);
    const free = await compare('free', [await start(stage, 'ours'), await start(stage, 'ours')], next, postmaster);
    print(held, free);
  });
}

function start(stage: Stage, how: 'held' | 'ours'): Promise<Server> {
  return stage.start(import.meta.filename, how, stage.databaseUrl);
}

async function compare(
  how: string,
  servers: readonly [Server, Server],
  next: () => Buffer,
  postmaster: number,
): Promise<Rounds> {
  const found: Rounds = { one: [], two: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = servers[round % 2] ?? servers[0];
    for (const [name, asked] of [['one', [alone]] as const, ['two', servers] as const]) {
      const result = await fire(asked, next, postmaster);
      if (round > 0) found[name].push(result); // the first round warms up
      progress(`${how}, ${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99.toFixed(1)} ms`);
    }
  }
  return found;
}

/** Gives each user five open tasks. Returns a function that returns the next request. */
async function giveTasks(server: Server, ground: Ground): Promise<() => Buffer> {
  const users = Array.from({ length: USERS }, () => ++lastUser);
  const requests = users.map((userId) => ask(ground, userId));
  progress(`giving ${USERS} users their tasks`);
  let given = 0;
  await sendLoad({ url: server.url, next: () => requests[given++], connections: CONNECTIONS, seconds: 120 });
  let turn = 0;
  return () => requests[turn++ % USERS] ?? Buffer.alloc(0);
}

function ask({ token }: Ground, userId: number): Buffer {
  const body = { user_id: userId, first_name: 'Анна', username: 'anna', language_code: 'ru', is_premium: false };
  return request('/api/v1/get-sponsors', body, { Auth: token });
}

interface Round {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor microseconds per request: of the API processes, of PostgreSQL and of the client. */
  readonly api: number;
  readonly postgres: number;
  readonly client: number;
  /** The number of cores in use. */
  readonly cores: number;
}

async function fire(servers: readonly Server[], next: () => Buffer, postmaster: number): Promise<Round> {
  const used = async () => ({
    api: (await Promise.all(servers.map((server) => server.cpu()))).reduce((sum, one) => sum + one, 0),
    postgres: await processorOfTree(postmaster),
    client: ((cpu) => cpu.user + cpu.system)(process.cpuUsage()),
  });
  const before = await used();
  const begin = performance.now();
  const results: LoadResult[] = await Promise.all(
    servers.map(({ url }) => sendLoad({ url, next, connections: CONNECTIONS, seconds: ROUND_SECONDS })),
  );
  const took = (performance.now() - begin) * 1000;
  const after = await used();
  const answers = results.reduce((sum, result) => sum + result.answers, 0);
  const spent = (name: keyof typeof before): number => (after[name] - before[name]) / answers;
  const [api, postgres, client] = [spent('api'), spent('postgres'), spent('client')];
  return {
    perSecond: results.reduce((sum, result) => sum + result.perSecond, 0),
    p99: Math.max(...results.map((result) => result.p99)),
    api,
    postgres,
    client,
    cores: ((api + postgres + client) * answers) / took,
  };
}

function print(held: Rounds, free: Rounds): void {
  const of = (rounds: readonly Round[], key: keyof Round): number => median(rounds.map((round) => round[key]));
  const ratioOf = ({ one, two }: Rounds): number =>
    Math.round((of(two, 'perSecond') / of(one, 'perSecond')) * 100) / 100;
  const line = (name: string, rounds: readonly Round[]): void => {
    const number = (key: keyof Round, digits: number, width: number): string =>
      of(rounds, key).toFixed(digits).padStart(width);
    console.log(
      `${name.padEnd(34)} ${number('perSecond', 0, 6)} ${number('p99', 1, 8)} ${number('api', 0, 6)} ${number('postgres', 0, 12)} ${number('client', 0, 8)} ${number('cores', 2, 8)}`,
    );
  };
  const cores = availableParallelism();
  console.log(`requests for tasks per second, repeat callers, medians of ${ROUNDS} rounds on ${cores} cores`);
  console.log('API, PostgreSQL and client: processor µs a request\n');
  console.log('API processes                         /s   p99 ms    API   PostgreSQL   client    cores');
  line(`one, held to ${SHARE} of a core`, held.one);
  line(`two, each held to ${SHARE} of a core`, held.two);
  line('one, free', free.one);
  line('two, free', free.two);
  // One process can use one core; two share the machine with PostgreSQL and the client.
  const costs = of(free.one, 'api') + of(free.one, 'postgres') + of(free.one, 'client');
  const possible = Math.round(Math.min(2, (cores * of(free.one, 'api')) / costs) * 100) / 100;
  const figures = { ratio: ratioOf(held), freeRatio: ratioOf(free), freePossible: possible };
  console.log(`\nheld ${figures.ratio}; free ${figures.freeRatio}, of ${possible} that ${cores} cores have room for`);
  const got = (of(held.two, 'api') * of(held.two, 'perSecond')) / 1e6;
  if (got < 0.85 * 2 * SHARE) {
    console.log(`The machine was busy: two held processes got ${got.toFixed(2)} of ${2 * SHARE} cores. Measure again.`);
  }
  console.log(`\n${JSON.stringify({ name: 'two-processes', ...figures, cores, targets: { ratio: TARGET } })}`);
  process.exitCode = figures.ratio >= TARGET ? 0 : 1;
}
