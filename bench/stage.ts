/** Shared by the benchmarks of the task flow: a PostgreSQL, servers in their own processes, and filled tables. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../src/config.ts';
import { type OpenDatabase, openDatabase, startEmbeddedPostgres } from '../src/db/index.ts';
import { runService } from '../src/main.ts';

const SETTINGS = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  ADDRESS_RATE_LIMIT_PER_SECOND: '1000000',
  ADDRESS_RATE_LIMIT_BURST: '1000000',
  NEW_BOT_RESERVATIONS: '1000000',
  // Each benchmark fills the tables itself, so that its figures do not change with the demo data.
  DEMO_HISTORY: 'off',
};

/** Starts the service in sandbox mode as the child process of a benchmark. */
export async function serveOurs(
  databaseUrl: string,
  roles = 'api',
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const config = readConfig({
    ...SETTINGS,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    ROLES: roles,
    ...settings,
  });
  const service = await runService(config, pino({ level: 'fatal' }));
  sayHello(service.url);
}

export function sayHello(url: string): void {
  process.on('message', () => process.send?.(inside()));
  process.send?.({ url });
}

/** The figures that a server process reports about itself. */
export interface Inside {
  /** Processor time so far, in microseconds. */
  readonly cpu: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** The active resources of the event loop by kind: timers, sockets, and so on. */
  readonly resources: Readonly<Record<string, number>>;
}

function inside(): Inside {
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return { cpu: user + system, heapBytes: heapUsed, residentBytes: rss, resources };
}

export interface Server {
  readonly url: string;
  /** Processor time so far, in microseconds. */
  cpu(): Promise<number>;
  inside(): Promise<Inside>;
  stop(): Promise<void>;
}

export interface Stage {
  readonly db: OpenDatabase;
  readonly databaseUrl: string;
  /** Starts the file as a child process with these arguments. */
  start(file: string, ...args: readonly string[]): Promise<Server>;
}

/** `durable: false` leaves out what protects against a power failure, for benchmarks that measure no speed. */
export async function onStage<T>(
  work: (stage: Stage) => Promise<T>,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined, durable });
  const db = openDatabase({ url: postgres.url, onError: () => undefined });
  const servers: Server[] = [];
  try {
    return await work({
      db,
      databaseUrl: postgres.url,
      async start(file, ...args) {
        const server = await startServer(file, args);
        servers.push(server);
        return server;
      },
    });
  } finally {
    for (const server of servers) await server.stop();
    await db.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a file as a child process that serves, outside of a stage. */
export async function startServer(file: string, args: readonly string[]): Promise<Server> {
  const child: ChildProcess = fork(file, [...args]);
  const [{ url }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`a server ended with ${String(code)}`))),
  ])) as [{ url: string }];
  const ask = async (): Promise<Inside> => {
    child.send('inside');
    const [answer] = (await once(child, 'message')) as [Inside];
    return answer;
  };
  return {
    url,
    inside: ask,
    cpu: async () => (await ask()).cpu,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Calls a control endpoint of the sandbox and throws unless the call succeeds. */
export async function control<T>(url: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${url}/sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
