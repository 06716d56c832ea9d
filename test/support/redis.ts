import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createClient } from '@redis/client';
import { eventually } from './eventually.ts';

/** A real Redis in its own process, for one test file. It stores nothing on disk. */
export interface TestRedis {
  readonly url: string;
  /** Sends one command over a separate connection. */
  command(...args: readonly string[]): Promise<unknown>;
  /** Suspends Redis: connections stay open and get no replies, as on a machine that swaps. */
  hang(): void;
  goOn(): void;
  /** Sends SIGKILL: connections close, and all data is lost. */
  kill(): Promise<void>;
  /** Starts Redis again at the same address. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function startRedis(options: readonly string[] = [], at?: number): Promise<TestRedis> {
  const port = at ?? (await freePort());
  let child = await launch(port, options);

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    command: (...args) => command(port, args),
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill,
    async startAgain() {
      child = await launch(port, options);
    },
    stop: kill,
  };
}

async function launch(port: number, options: readonly string[]): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('redis-server ended at its start')));
  child.on('error', () => undefined); // the race below reports the error
  alive.add(child);
  child.on('exit', () => alive.delete(child));
  try {
    await Promise.race([once(child, 'spawn'), failed]);
  } catch (error) {
    throw new Error('these tests need redis-server: apt-get install redis-server', { cause: error });
  }
  const answers = eventually('Redis answers', async () => (await command(port, ['PING'])) !== undefined);
  await Promise.race([answers, failed]);
  failed.catch(() => undefined);
  return child;
}

async function command(port: number, args: readonly string[]): Promise<unknown> {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand(args);
  } catch (error) {
    // A Redis that requires a password rejects this command, but it runs.
    if (error instanceof Error && error.message.startsWith('NOAUTH')) return error.message;
    throw error;
  } finally {
    client.destroy();
  }
}
