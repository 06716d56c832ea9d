import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/start-postgres.ts';
import { createDataDir, isGone } from '../support/data-dir.ts';
import { eventually } from '../support/eventually.ts';

/** A PostgreSQL that can be killed and started again on the same data. */
export interface KillablePostgres {
  /** The URL of the server without the proxy; changes with every start. */
  url(): string;
  /** Sends SIGKILL to the postmaster. Its child processes end when they notice. */
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  /** Sends SIGKILL to one of the backends. PostgreSQL then ends all others and recovers. */
  killBackend(draw: number): Promise<void>;
  remove(): Promise<void>;
}

export async function startPostgres(log: (line: string) => void): Promise<KillablePostgres> {
  const folder = await createDataDir();
  // Durable commits: without them a killed server may lose acknowledged transactions.
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir: folder.path, log, durable: true });
  let server = await start();

  return {
    url: () => server.url,
    async kill() {
      const pid = await folder.postmasterPid();
      process.kill(pid, 'SIGKILL');
      await eventually('PostgreSQL is gone', () => isGone(pid));
    },
    async startAgain() {
      await server.stop(); // only releases the folder, because the process has ended
      server = await start();
    },
    async killBackend(draw) {
      const pids = await backends(server.url);
      const pid = pids[draw % pids.length];
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
    async remove() {
      await server.stop();
      await folder.remove();
    },
  };
}

async function backends(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
       ORDER BY backend_start, pid`,
    );
    return rows.map((row) => row.pid);
  } finally {
    await client.end().catch(() => undefined);
  }
}
