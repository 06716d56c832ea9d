import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../core/errors.ts';
import { findBinaries } from './binaries.ts';
import {
  chooseServerUser,
  clusterPaths,
  ensureCluster,
  explainFailure,
  lastLines,
  removeLeftovers,
  SUPERUSER,
} from './cluster.ts';
import { takeOwnership } from './data-dir-lock.ts';
import { errorCode } from './process.ts';
import { launchServer, type RunningServer, type ServerPlace, stopLeftoverServer } from './server.ts';
import { type Supervision, superviseServer } from './supervisor.ts';

export interface EmbeddedPostgres {
  /** `postgres://user:password@127.0.0.1:port/sponsorgate` */
  readonly url: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** False trades safety against power loss for speed, for test runs. Default true. */
  readonly durable?: boolean;
  /** If absent, a server that ends by itself is not restarted: for short commands, and for tests that kill it. */
  readonly supervision?: Supervision;
  /** The `native` folder of another copy of the platform package. Only for tests of broken installations. */
  readonly nativeDir?: string;
}

const DATABASE = 'sponsorgate';
const POLL_MS = 15;
const READY_LIMIT_MS = 30_000;
/**
 * A server that reports "starting up" is replaying its log after a crash. Stopping it would only restart the replay.
 */
const RECOVERY_LIMIT_MS = 300_000;
const WRONG_PASSWORD_LIMIT_MS = 3_000;
const LAUNCH_ATTEMPTS = 6;

/**
 * Starts the embedded PostgreSQL below `dataDir` and creates it at first use. Only one process per folder may do so at
 * a time.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const release = await openDataDir(dataDir);
  let server: RunningServer | undefined;
  try {
    await removeLeftovers(dataDir);
    const { log, nativeDir, durable = true } = options;
    const paths = clusterPaths(dataDir);
    const user = await chooseServerUser(paths);
    const binaries = await findBinaries({ dataDir, user, log, nativeDir });
    const { password } = await ensureCluster({ dataDir, paths, binaries, user, durable });
    const place = { paths, binaries, user, durable };
    server = await startServer({ place, password, log });
    const { port } = server;
    const running =
      options.supervision === undefined
        ? server
        : superviseServer(server, (signal) => startServer({ place, password, log, port, signal }), options.supervision);
    return {
      url: serverUrl(port, password),
      stop: async () => {
        await running.stop();
        await release();
      },
    };
  } catch (error) {
    await server?.stop();
    await release();
    throw error;
  }
}

async function openDataDir(dataDir: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dataDir, { recursive: true });
    return await takeOwnership(dataDir);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new StartError(
      `cannot write to DATA_DIR ${dataDir} (${code}): make it writable for this user or set another DATA_DIR`,
    );
  }
}

interface StartRequest {
  readonly place: ServerPlace;
  readonly password: string;
  readonly log: (line: string) => void;
  /** The port of the server that this one replaces. */
  readonly port?: number;
  readonly signal?: AbortSignal;
}

async function startServer({ place, password, log, port, signal }: StartRequest): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    await stopLeftoverServer(place, log);
    const server = await launchServer(place, log, port);
    try {
      await waitUntilReady(server, password, signal);
      return server;
    } catch (error) {
      await server.stop();
      const output = `${await server.readLog()}\n${server.exit() ?? ''}`;
      if (attempt === LAUNCH_ATTEMPTS || !isPassing(output)) {
        const reason = error instanceof Error ? error.message : String(error);
        throw explainFailure(
          `the embedded PostgreSQL did not start (${reason}, see ${place.paths.logFile})`,
          output,
          place.paths.cluster,
          place.user,
        );
      }
      await sleep(100 * attempt);
    }
  }
}

/**
 * Returns whether the failure is temporary: another program took the port first; or the server of a killed process
 * wrote its pid file after our check; or the last children of a dead server have not released its memory yet.
 */
function isPassing(output: string): boolean {
  return /could not create any TCP\/IP sockets|lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(
    output,
  );
}

async function waitUntilReady(server: RunningServer, password: string, signal?: AbortSignal): Promise<void> {
  const begin = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    if (server.exit() !== undefined) throw new Error(`it ended with ${server.exit()}`);
    const refusal = await ensureDatabase(serverUrl(server.port, password, 'postgres'));
    if (refusal === undefined) return;
    const waitedMs = performance.now() - begin;
    // Another server on the same port also returns this code, until ours has found the port taken and ended.
    if (refusal.code === '28P01' && waitedMs > WRONG_PASSWORD_LIMIT_MS) throw new Error('its password has changed');
    if (waitedMs > (refusal.code === '57P03' ? RECOVERY_LIMIT_MS : READY_LIMIT_MS)) {
      throw new Error(`no answer within ${Math.round(waitedMs / 1_000)} s: ${lastLines(refusal.message, 1)}`);
    }
    await sleep(POLL_MS);
  }
}

async function ensureDatabase(url: string): Promise<{ code: string | undefined; message: string } | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 20_000 });
  // A lost connection rejects the call and also emits this event; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return undefined;
  } catch (error) {
    return { code: errorCode(error), message: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function serverUrl(port: number, password: string, database: string = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}
