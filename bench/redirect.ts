/**
 * Measures redirects per second of `/l/:code` with all its work (rules, location, device, counting in PostgreSQL), and
 * compares them with a Fastify that only redirects, in one run. `node bench/redirect.ts`
 *
 * Each server has its own process; the load client is in this one. Short rounds alternate, so that other load on the
 * machine affects both servers alike, and the medians are compared. Requests come from many addresses with several
 * browsers.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import pino from 'pino';
import { systemClock } from '../src/core/clock.ts';
import { createSecrets } from '../src/core/secrets.ts';
import { migrate, openDatabase, serviceMigrations, startEmbeddedPostgres } from '../src/db/index.ts';
import { buildServer, createMemoryRateLimiter } from '../src/http/index.ts';
import { openAccount } from '../src/modules/accounts/index.ts';
import { createTokenCache } from '../src/modules/bots/index.ts';
import { createDevices } from '../src/modules/devices/index.ts';
import { clicksBy, createLink, createSmartLinks, openLocator } from '../src/modules/links/index.ts';
import { linkRoutes } from '../src/modules/links/routes.ts';
import { createRandom, median } from './random.ts';

const TARGET_RATIO = 0.6;
const ROUNDS = 9;
const ROUND_SECONDS = 1;
const WARM_UP_SECONDS = 2;
/** Many requests per connection keep the client cheap, so that the server is the bottleneck. */
const CONNECTIONS = 50;
const PIPELINING = 10;
const VISITORS = 500;

const BROWSERS = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
];

type Result = Record<'2xx' | '3xx' | '4xx' | '5xx' | 'errors' | 'duration', number>;
type Cannon = (options: object) => Promise<Result>;

const role = process.argv[2];
if (role === 'bare') await serveBare();
else if (role === 'ours') await serveOurs();
else await measure();

/** The server for comparison: the framework with one route. */
async function serveBare(): Promise<void> {
  const app = fastify({ trustProxy: ['127.0.0.1'] });
  app.get('/l/:code', (_request, reply) => reply.redirect('https://example.com/'));
  report(await app.listen({ port: 0 }), 'any', async () => 0);
}

async function serveOurs(): Promise<void> {
  const db = openDatabase({ url: String(process.argv[3]), onError: console.error });
  const { code, linkId } = await db.transaction(async (tx) => {
    const at = systemClock.now();
    const account = await openAccount(tx, { telegramUserId: 1, name: 'bench', at });
    const outcome = await createLink(tx, {
      accountId: account.id,
      url: 'https://example.com/',
      rules: [
        { countries: ['RU', 'BY', 'KZ'], device_types: ['smartphone'], url: 'https://example.com/ru' },
        { countries: ['US'], os: ['iOS', 'macOS'], url: 'https://example.com/us' },
        { os: ['Android'], url: 'https://example.com/android' },
      ],
      at,
    });
    if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
    return { code: outcome.link.code, linkId: outcome.link.id };
  });
  const links = createSmartLinks({
    db,
    clock: systemClock,
    secrets: createSecrets('bench'.repeat(10)),
    locator: await openLocator(),
    devices: createDevices({
      db,
      clock: systemClock,
      secrets: createSecrets('bench'.repeat(10)),
      storesMarks: true,
      checkStrength: undefined,
      initDataSeconds: 86_400,
      onIgnored: () => undefined,
      onError: console.error,
    }),
    botToken: '1:bench',
    initDataSeconds: 86_400,
    personalLinkSeconds: 86_400,
    resolveOrderUrl: async () => undefined,
    onError: console.error,
  });
  const gate = {
    tokens: createTokenCache(db),
    limiter: createMemoryRateLimiter(),
    perToken: { name: 'token', perSecond: 50, burst: 100 },
    perAddress: { name: 'address', perSecond: 20, burst: 40 },
  };
  const app = buildServer({
    log: pino({ level: 'info' }, pino.destination(2)),
    gate,
    trustProxy: ['127.0.0.1'],
    publicRoutes: [],
    tokenRoutes: [],
    queryTokenRoutes: [],
    unguardedRoutes: [linkRoutes(links, gate)],
  });
  report(await app.listen({ port: 0 }), code, async () => {
    await links.drain();
    const days = await clicksBy(db, 'day', { linkId, from: '2000-01-01', to: '2999-12-31' });
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  });
}

/** Sends its address. After that it replies to each message with its processor time and the number of stored clicks. */
function report(url: string, code: string, storedClicks: () => Promise<number>): void {
  process.on('message', (question) => {
    if (question === 'clicks') void storedClicks().then((clicks) => process.send?.({ clicks }));
    else process.send?.({ cpu: process.cpuUsage() });
  });
  process.send?.({ url, code });
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined });
  const children: ChildProcess[] = [];
  try {
    await migrate(postgres.url, [serviceMigrations]);
    const bare = await startServer(children, 'bare');
    const ours = await startServer(children, 'ours', postgres.url);
    for (const server of [bare, ours]) await measureRound(server, WARM_UP_SECONDS);

    const before = await ask(ours.child, 'clicks');
    const rounds = { bare: [] as Round[], ours: [] as Round[] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.bare.push(await measureRound(bare, ROUND_SECONDS));
      rounds.ours.push(await measureRound(ours, ROUND_SECONDS));
    }
    const counted = Number((await ask(ours.child, 'clicks')).clicks) - Number(before.clicks);
    const answered = rounds.ours.reduce((sum, { answers }) => sum + answers, 0);
    print(rounds.bare, rounds.ours, { counted, answered });
  } finally {
    for (const child of children) child.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startServer(children: ChildProcess[], name: string, ...rest: string[]): Promise<Server> {
  const child = fork(import.meta.filename, [name, ...rest]);
  children.push(child);
  const [hello] = (await once(child, 'message')) as [{ url: string; code: string }];
  return { child, url: `${hello.url}/l/${hello.code}` };
}

async function ask(child: ChildProcess, question: string): Promise<Record<string, unknown>> {
  child.send(question);
  const [answer] = (await once(child, 'message')) as [Record<string, unknown>];
  return answer;
}

interface Round {
  readonly answers: number;
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function measureRound({ child, url }: Server, duration: number): Promise<Round> {
  const cannon = createRequire(import.meta.url)('autocannon') as Cannon;
  const before = (await ask(child, 'cpu')).cpu as NodeJS.CpuUsage;
  const result = await cannon({
    url,
    connections: CONNECTIONS,
    pipelining: PIPELINING,
    duration,
    requests: visitors(),
  });
  const after = (await ask(child, 'cpu')).cpu as NodeJS.CpuUsage;
  const answers = result['3xx'];
  const others = result['2xx'] + result['4xx'] + result['5xx'] + result.errors;
  if (answers === 0 || others > 0) throw new Error(`not everybody was redirected: ${JSON.stringify(result)}`);
  const cpu = after.user + after.system - before.user - before.system;
  return { answers, perSecond: answers / result.duration, cpuMicroseconds: cpu / answers };
}

function visitors(): object[] {
  const random = createRandom(7);
  const octet = (): number => 1 + Math.floor(random() * 222);
  return Array.from({ length: VISITORS }, (_, i) => ({
    method: 'GET',
    headers: {
      'user-agent': BROWSERS[i % BROWSERS.length],
      'x-forwarded-for': `${octet()}.${octet()}.${octet()}.${octet()}`,
    },
  }));
}

function print(bare: Round[], ours: Round[], clicks: { counted: number; answered: number }): void {
  const of = (rounds: Round[], key: keyof Round): number => median(rounds.map((round) => round[key]));
  const [bareRate, ourRate] = [of(bare, 'perSecond'), of(ours, 'perSecond')];
  const ratio = Math.round((ourRate / bareRate) * 1000) / 1000;
  console.log(
    `redirects, medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s, ${CONNECTIONS} connections, Node ${process.version}\n`,
  );
  console.log('server          redirects/s   processor µs each');
  for (const [name, rounds] of [
    ['bare Fastify', bare],
    ['/l/:code', ours],
  ] as const) {
    const cells = [
      of(rounds, 'perSecond').toFixed(0).padStart(11),
      of(rounds, 'cpuMicroseconds').toFixed(1).padStart(19),
    ];
    console.log(`${name.padEnd(16)}${cells.join(' ')}`);
  }
  console.log(`\nratio ${ratio} (target ${TARGET_RATIO}), clicks stored ${clicks.counted} of ${clicks.answered}\n`);
  console.log(
    JSON.stringify({
      name: 'redirect',
      ratio,
      target: TARGET_RATIO,
      met: ratio >= TARGET_RATIO,
      perSecond: Math.round(ourRate),
      barePerSecond: Math.round(bareRate),
    }),
  );
}
