import type pg from 'pg';
import type { Queryable } from '../core/database.ts';
import { isPlanOutdated, isStatementError, rootCauseOf, unavailable } from './errors.ts';
import { Pipeline } from './pipeline.ts';
import { writeParameters } from './wire-values.ts';

/** A connection that is checked out of the pool. */
interface Connection {
  readonly pipeline: Pipeline;
  /** Returns the connection to the pool. The pool closes it after an error or when a transaction is still open. */
  release(broken?: Error): void;
}

export interface Connections {
  acquire(): Promise<Connection>;
  /** The size of the pool. */
  readonly max: number;
}

export function createConnections(pool: pg.Pool, options: { readonly isShared: boolean }): Connections {
  const connections = new WeakMap<pg.PoolClient, Connection>();

  function connectionOf(client: pg.PoolClient): Connection {
    let connection = connections.get(client);
    if (connection === undefined) {
      connection = {
        pipeline: new Pipeline(client, options),
        release: (broken) => client.release(broken ?? openTransactionError(client)),
      };
      connections.set(client, connection);
    }
    return connection;
  }

  return {
    max: pool.options.max,
    async acquire() {
      try {
        return connectionOf(await pool.connect());
      } catch (error) {
        // Waiting does not help against a wrong password or an invalid address.
        throw isStatementError(error) || error instanceof TypeError ? error : unavailable(error);
      }
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
  return onOneConnection(connections, (pipeline) =>
    work({
      query(sql, params = []) {
        const rows = pipeline.send(sql, writeParameters(params)).then((result) => result.rows as never[]);
        rows.catch(() => undefined); // a failed statement also fails those sent with it, which `work` may not await yet
        return rows;
      },
    }),
  );
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
