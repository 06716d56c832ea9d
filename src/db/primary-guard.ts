import pg from 'pg';
import { DatabaseUnavailable } from '../core/database.ts';
import { waitAtMost } from '../core/wait-at-most.ts';
import { isStatementError } from './errors.ts';

/** How long opening a connection may take. An overloaded server needs seconds for it. */
export const CONNECT_LIMIT_MS = 10_000;

/**
 * Decides whether a connection may be used after a failover. A connection is used only if its server accepts writes and
 * no connection of this process has seen a newer timeline. Every promotion of a standby starts a new timeline, so a
 * former primary that returns, or was only cut off, has an older one. Without this check two servers could accept
 * writes of the same service.
 */
export interface PrimaryGuard {
  /**
   * Reads the state of the connection's server. Throws `DatabaseUnavailable` when the connection must not be used. Without
   * `limitMs` the time limit of the connection's statements applies.
   */
  admit(client: pg.ClientBase, limitMs?: number): Promise<void>;
  /** Returns false when a newer timeline was seen after the connection was admitted. */
  isCurrent(client: pg.ClientBase): boolean;
  /** Returns the process id of the connection's server process. */
  pidOf(client: pg.ClientBase): number | undefined;
}

interface ServerState {
  readonly pid: number;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  /** Absent when the role may not read it, as at some hosting providers. */
  readonly system_id?: string;
  /** The name of the current file of the write-ahead log. Its first 8 digits are the timeline. */
  readonly wal_file?: string | null;
}

const SIMPLE_STATE = `pg_backend_pid() AS pid, pg_is_in_recovery() AS is_standby,
  current_setting('transaction_read_only') = 'on' AS is_read_only`;

/**
 * The name of the log file has the timeline on which the server writes now. `pg_control_checkpoint()` has the one of the
 * last checkpoint, which is the old timeline for some time after a promotion.
 */
const FULL_STATE = `${SIMPLE_STATE}, (SELECT system_identifier::text FROM pg_control_system()) AS system_id,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_walfile_name(pg_current_wal_lsn()) END AS wal_file`;

/** `onNewer` is called when a connection sees a newer timeline than all before. */
export function createPrimaryGuard(onNewer: () => void = () => undefined): PrimaryGuard {
  const admitted = new WeakMap<pg.ClientBase, { readonly timeline: number; readonly pid: number }>();
  let newest = 0;
  let systemId: string | undefined;

  return {
    async admit(client, limitMs) {
      const state = await readState(client, limitMs);
      if (state.is_standby) throw new DatabaseUnavailable('database: it is a standby and takes no writes');
      if (state.is_read_only) throw new DatabaseUnavailable('database: it is read-only and takes no writes');
      systemId ??= state.system_id;
      if (state.system_id !== undefined && state.system_id !== systemId) {
        throw new DatabaseUnavailable(
          'database: the address leads to another PostgreSQL cluster than before: restart the service if that is intended',
        );
      }
      const timeline = timelineOf(state);
      if (timeline < newest) {
        throw new DatabaseUnavailable(
          `database: refused a former primary with timeline ${timeline}, because timeline ${newest} exists`,
        );
      }
      admitted.set(client, { timeline, pid: state.pid });
      if (timeline === newest) return;
      const isFailover = newest > 0;
      newest = timeline;
      if (isFailover) onNewer();
    },
    isCurrent: (client) => (admitted.get(client)?.timeline ?? newest) >= newest,
    pidOf: (client) => admitted.get(client)?.pid,
  };
}

/** Returns the timeline on which the server writes, or 0 if it is not known. */
function timelineOf({ wal_file }: ServerState): number {
  return typeof wal_file === 'string' ? Number.parseInt(wal_file.slice(0, 8), 16) : 0;
}

async function readState(client: pg.ClientBase, limitMs: number | undefined): Promise<ServerState> {
  try {
    return await readRow(client, FULL_STATE, limitMs);
  } catch (error) {
    // Some hosting providers hide the functions of the write-ahead log. The rest of the check still works there.
    if (!isStatementError(error)) throw error;
    return readRow(client, SIMPLE_STATE, limitMs);
  }
}

async function readRow(client: pg.ClientBase, columns: string, limitMs: number | undefined): Promise<ServerState> {
  const query: pg.QueryConfig & { query_timeout?: number } = {
    text: `SELECT ${columns}`,
    ...(limitMs !== undefined && { query_timeout: limitMs }),
  };
  const { rows } = await client.query<ServerState>(query);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL did not describe itself');
  return row;
}

/** How to open connections outside of the pool. */
export interface DirectAccess {
  readonly url: string;
  readonly guard: PrimaryGuard;
  /** Waits while the server is known to be away. */
  readonly untilBack: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/**
 * Opens a connection of its own, outside of the pool, to the primary. The caller closes it. `onError` is called when an
 * open connection breaks; without a listener that event would end the process.
 */
export async function connectToPrimary(
  guard: PrimaryGuard,
  config: pg.ClientConfig,
  onError: () => void = () => undefined,
): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', onError);
  try {
    await client.connect();
    await guard.admit(client);
    return client;
  } catch (error) {
    closeAtOnce(client);
    throw error;
  }
}

/** A server that hangs does not close the connection from its side. */
const END_LIMIT_MS = 1_000;

/** Closes a connection of its own in order if the server takes part within a second. */
export async function endConnection(client: pg.Client): Promise<void> {
  await waitAtMost(
    END_LIMIT_MS,
    client.end().catch(() => undefined),
  );
  closeAtOnce(client);
}

/** Closes a connection without waiting for its server, which may hang. Its current statement fails. */
export function closeAtOnce(client: pg.ClientBase): void {
  (client as unknown as { readonly connection: pg.Connection }).connection.stream.destroy();
}
