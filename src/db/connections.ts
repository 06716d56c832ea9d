import type pg from 'pg';
import type { Queryable } from '../core/database.ts';
import { isPlanOutdated, isStatementError, rootCauseOf, unavailable } from './errors.ts';
import { Pipeline } from './pipeline.ts';
import { closeAtOnce, type PrimaryGuard } from './primary-guard.ts';
import type { ServerWatch, WaitingConnection } from './server-watch.ts';
import { writeParameters } from './wire-values.ts';

/** A connection that is checked out of the pool. */
interface Connection {
  readonly pipeline: Pipeline;
  /** Returns the connection to the pool. The pool closes it after an error or when a transaction is still open. */
  release(broken?: Error): void;
}

export interface Connections {
  /** Throws `DatabaseUnavailable` at once while the server is away. */
  acquire(): Promise<Connection>;
  /** The size of the pool. */
  readonly max: number;
}

export interface PoolConnections extends Connections {
  /** Returns the checked-out connections. */
  inUse(): Iterable<WaitingConnection>;
  /** Returns the time since which a caller waits for a connection, by `performance.now()`. */
  oldestWait(): number | undefined;
  /** Fails all callers that wait for a connection, because the server is away. */
  rejectWaiting(reason: Error): void;
  /** Closes the connections to a former primary. Their statements fail. */
  closeOutdated(): void;
}

interface ConnectionsOptions {
  readonly isShared: boolean;
  readonly guard: Pick<PrimaryGuard, 'isCurrent'>;
  readonly watch: () => Pick<ServerWatch, 'away' | 'suspect'>;
}

export function createConnections(pool: pg.Pool, options: ConnectionsOptions): PoolConnections {
  const { guard, watch } = options;
  const connections = new WeakMap<pg.PoolClient, Connection & { readonly waits: WaitingConnection }>();
  const inUse = new Map<pg.PoolClient, WaitingConnection>();
  /** The callers that wait for a connection, oldest first, with the time since which they wait. */
  const waiting = new Map<(reason: Error) => void, number>();

  function connectionOf(client: pg.PoolClient): Connection {
    let connection = connections.get(client);
    if (connection === undefined) {
      const pipeline = new Pipeline(client, options);
      connection = {
        pipeline,
        waits: { client, busySince: () => pipeline.busySince },
        release(broken) {
          inUse.delete(client);
          client.release(broken ?? openTransactionError(client));
        },
      };
      connections.set(client, connection);
    }
    inUse.set(client, connection.waits);
    return connection;
  }

  /** Waits for a connection of the pool, or until the server is known to be away. */
  function take(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      waiting.set(reject, performance.now());
      pool.connect().then(
        (client) => {
          // After `rejectWaiting` the caller does not take the client any more.
          if (waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error: unknown) => {
          waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  return {
    max: pool.options.max,
    async acquire() {
      for (;;) {
        const { away } = watch();
        if (away !== undefined) throw unavailable(away);
        let client: pg.PoolClient;
        try {
          client = await take();
        } catch (error) {
          // Waiting does not help against a wrong password or an invalid address.
          if (isStatementError(error) || error instanceof TypeError) throw error;
          watch().suspect();
          throw unavailable(error);
        }
        if (guard.isCurrent(client)) return connectionOf(client);
        // Each round removes one outdated connection, so the loop ends.
        client.release(new Error('the connection leads to a former primary'));
      }
    },
    inUse: () => inUse.values(),
    oldestWait: () => waiting.values().next().value,
    rejectWaiting(reason) {
      for (const reject of waiting.keys()) reject(reason);
      waiting.clear();
    },
    closeOutdated() {
      for (const client of inUse.keys()) if (!guard.isCurrent(client)) closeAtOnce(client);
    },
  };
}

/** Returns an error if a transaction is still open: the next user of the connection would continue it. */
function openTransactionError(client: pg.PoolClient): Error | undefined {
  const status = client.getTransactionStatus();
  return status === 'T' || status === 'E' ? new Error('the connection is still in a transaction') : undefined;
}

/** Runs one statement outside of a transaction. PostgreSQL commits it by itself. */
export async function runQuery<Row>(
  connections: Connections,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const values = writeParameters(params);
  return onOneConnection(connections, async (pipeline) => (await pipeline.send(text, values)).rows as Row[]);
}

/** Runs several statements on one connection, outside of a transaction. */
export function runQueries<T>(connections: Connections, work: (db: Queryable) => Promise<T>): Promise<T> {
  return onOneConnection(connections, (pipeline) => work(queriesOf(pipeline)));
}

/** Returns the statements of one connection. PostgreSQL commits each by itself. */
export function queriesOf(pipeline: Pipeline): Queryable {
  return {
    query(sql, params = []) {
      const rows = pipeline.send(sql, writeParameters(params)).then((result) => result.rows as never[]);
      rows.catch(() => undefined); // a failed statement also fails those sent with it, which the caller may not await yet
      return rows;
    },
  };
}

async function onOneConnection<T>(connections: Connections, work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const connection = await connections.acquire();
    let broken: Error | undefined;
    try {
      return await work(connection.pipeline);
    } catch (thrown) {
      const error = rootCauseOf(thrown);
      const isOutdated = isPlanOutdated(error);
      if (isOutdated || !isStatementError(error)) broken = new Error('connection unusable', { cause: error });
      // Replace the stack trace of the socket with that of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      // Every connection of the pool can be outdated once.
      if (!isOutdated || attempt > connections.max) throw error;
    } finally {
      connection.release(broken);
    }
  }
}
