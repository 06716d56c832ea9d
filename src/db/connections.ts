import type pg from 'pg';
import { isVerdict, unavailable } from './errors.ts';
import { Pipeline } from './pipeline.ts';

/** A connection of the pool, lent. */
interface Line {
  readonly pipeline: Pipeline;
  /** Gives it back, or throws it away if something is wrong with it. */
  release(broken?: Error): void;
}

export interface Lines {
  lend(): Promise<Line>;
  /** How many there can be at once. */
  readonly max: number;
}

export function openLines(pool: pg.Pool, options: { readonly isShared: boolean }): Lines {
  const lines = new WeakMap<pg.PoolClient, Line>();

  function lineOn(client: pg.PoolClient): Line {
    let line = lines.get(client);
    if (line === undefined) {
      line = {
        pipeline: new Pipeline(client, options),
        release: (broken) => client.release(broken ?? leftOpen(client)),
      };
      lines.set(client, line);
    }
    return line;
  }

  return {
    max: pool.options.max,
    async lend() {
      try {
        return lineOn(await pool.connect());
      } catch (error) {
        // Refused by the server (a wrong password), or an address that is none: waiting does not help with either.
        throw isVerdict(error) || error instanceof TypeError ? error : unavailable(error);
      }
    },
  };
}

/** A transaction that is still open would be continued by whoever is lent the connection next. */
function leftOpen(client: pg.PoolClient): Error | undefined {
  const status = client.getTransactionStatus();
  return status === 'T' || status === 'E' ? new Error('the connection is still in a transaction') : undefined;
}
