import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, DatabaseUnavailable, type ReportDatabase } from '../core/database.ts';
import { StartError } from '../core/errors.ts';
import { createConnections, type PoolConnections, runQuery } from './connections.ts';
import { isRetryable, unavailable } from './errors.ts';
import { closeAtOnce } from './primary-guard.ts';
import { ANSWER_LIMIT_MS } from './server-watch.ts';

/** A read replica for reports. While it is away or too far behind, reports read the primary. */
interface Replica extends ReportDatabase {
  /** Reads the state of the replica now, instead of at the next tick. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface ReplicaOptions {
  readonly url: string;
  readonly primary: Pick<Database, 'query'>;
  readonly poolSize?: number;
  /** Called when the replica is left out, and again with each new reason. */
  readonly onLeftOut: (reason: string) => void;
}

/** Older figures would surprise the readers of a report more than a slower page. */
const MAX_REPLICA_AGE_SECONDS = 30;
const LOOK_EVERY_MS = 2_000;
const QUERY_TIMEOUT_MS = 60_000;
/** Samples of the primary's position; enough for twice the age at which the replica is left out. */
const KEPT_SAMPLES = 32;

const REPLICA_IS_PRIMARY =
  'DATABASE_REPLICA_URL leads to a primary: set it to a standby (with HAProxy, the port for replicas), or unset it';
const REPLICA_IS_FOREIGN =
  'DATABASE_REPLICA_URL leads to another PostgreSQL cluster than DATABASE_URL: set it to a standby of that one';

/** The replica is reachable and cannot serve: it is a primary, or belongs to another cluster. */
class WrongReplica extends Error {
  override readonly name = 'WrongReplica';
}

/** Throws a `StartError` for an address that leads to a primary or to another cluster. A replica may be away. */
export async function openReplica({ url, primary, poolSize = 4, onLeftOut }: ReplicaOptions): Promise<Replica> {
  /** Why the replica is not used; undefined while it is used. */
  let reason: string | undefined = 'not checked yet';
  /** The latest time at which the primary had written no more than the replica has replayed; by `performance.now()`. */
  let freshAt = Number.NEGATIVE_INFINITY;
  /** Positions in the primary's write-ahead log, oldest first. */
  let samples: { readonly at: number; readonly position: bigint }[] = [];
  const away = (): DatabaseUnavailable | undefined =>
    reason === undefined ? undefined : new DatabaseUnavailable(`replica: ${reason}`);

  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sponsorgate reports',
  });
  pool.on('error', () => undefined); // the next check notices the loss
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const connections: PoolConnections = createConnections(pool, {
    isShared: false,
    guard: { isCurrent: () => true },
    watch: () => ({ away: away(), suspect: () => undefined }),
  });

  function leaveOut(why: string): void {
    if (reason === why) return;
    const wasUsed = reason === undefined;
    reason = why;
    onLeftOut(why);
    if (!wasUsed) return;
    connections.rejectWaiting(new DatabaseUnavailable(`replica: ${why}`));
    for (const { client } of connections.inUse()) closeAtOnce(client);
  }

  const ageSeconds = (): number => Math.max(0, Math.round((performance.now() - freshAt) / 1_000));

  /** Compares the positions of both servers. The clocks of the machines do not matter, nor does an idle primary. */
  async function look(): Promise<void> {
    const [primaryState] = await primary.query<Position>(PRIMARY_POSITION);
    if (primaryState === undefined) throw new Error('no position in the log of the primary');
    samples = [...samples.slice(1 - KEPT_SAMPLES), { at: performance.now(), position: BigInt(primaryState.position) }];
    const replica = await readReplica(url);
    if (!replica.is_standby) throw new WrongReplica(REPLICA_IS_PRIMARY);
    if (replica.system_id !== primaryState.system_id) throw new WrongReplica(REPLICA_IS_FOREIGN);
    const replayed = BigInt(replica.position);
    freshAt = samples.findLast(({ position }) => position <= replayed)?.at ?? freshAt;
    if (ageSeconds() > MAX_REPLICA_AGE_SECONDS) {
      leaveOut(`it is more than ${MAX_REPLICA_AGE_SECONDS} s behind`);
    } else {
      reason = undefined;
    }
  }

  const refresh = (): Promise<void> =>
    look().catch((error: unknown) => leaveOut(error instanceof Error ? error.message : String(error)));

  try {
    await look();
  } catch (error) {
    if (error instanceof WrongReplica) {
      await pool.end();
      throw new StartError(error.message);
    }
    leaveOut(error instanceof Error ? error.message : String(error));
  }
  const stopping = new AbortController();
  const looking = keepLooking();

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (!stopping.signal.aborted) await refresh();
    }
  }

  return {
    async query(sql, params) {
      if (reason !== undefined) return primary.query(sql, params);
      try {
        return await runQuery(connections, sql, params);
      } catch (error) {
        // 40001 on a standby: the replay of changes removed rows that the statement was reading.
        if (!(error instanceof DatabaseUnavailable) && !isRetryable(error)) throw error;
        return primary.query(sql, params);
      }
    },
    ageSeconds: () => (reason === undefined ? ageSeconds() : undefined),
    refresh,
    async close() {
      stopping.abort();
      await looking;
      await pool.end();
    },
  };
}

interface Position {
  /** The position in the write-ahead log, in bytes. */
  readonly position: string;
  readonly system_id: string;
}

const SYSTEM_ID = '(SELECT system_identifier::text FROM pg_control_system()) AS system_id';
const PRIMARY_POSITION = `SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::text AS position, ${SYSTEM_ID}`;
const REPLICA_POSITION = `SELECT pg_is_in_recovery() AS is_standby,
  coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::text AS position, ${SYSTEM_ID}`;

/** Uses a connection of its own: the pool may be busy with long reports, and a balancer may choose another replica. */
async function readReplica(url: string): Promise<Position & { readonly is_standby: boolean }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    application_name: 'sponsorgate reports',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Position & { is_standby: boolean }>(REPLICA_POSITION);
    const [row] = rows;
    if (row === undefined) throw new Error('the replica did not report its position');
    return row;
  } catch (error) {
    throw unavailable(error);
  } finally {
    closeAtOnce(client);
  }
}

/** Returns the primary in the role of a replica, for installations without one. */
export function readFromPrimary(primary: Pick<Database, 'query'>): ReportDatabase {
  return { query: (sql, params) => primary.query(sql, params), ageSeconds: () => undefined };
}
