import type pg from 'pg';
import { isStatementError, unavailable } from './errors.ts';
import { Pipeline } from './pipeline.ts';

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
