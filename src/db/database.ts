import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  type Database,
  DatabaseUnavailable,
  type Listener,
  type Queryable,
  type Subscription,
  type Transaction,
} from '../core/database.ts';
import { runExclusively } from './exclusive.ts';
import { listenOn } from './listen.ts';
import { readTimestamp, writeValue } from './wire-values.ts';

/** A serialisation failure or a deadlock: the loser is rolled back whole and may simply try again. */
const RETRYABLE_SQLSTATES = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;
const DATE_OID = 1082;
const TIMESTAMPTZ_OID: number = 1184;

const parseTexts = pg.types.getTypeParser(INT8_ARRAY_OID) as (text: string) => (string | null)[];

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8_OID) return BigInt;
    if (oid === TIMESTAMPTZ_OID) return readTimestamp;
    if (oid === INT8_ARRAY_OID) return (text: string) => parseTexts(text).map((item) => item && BigInt(item));
    // A calendar day has no time zone; the driver's default would turn it into a local midnight.
    if (oid === DATE_OID) return String;
    return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
  },
};

export interface OpenDatabase extends Database {
  readonly url: string;
  /** The pool as it stands, for the figures. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** For the pool, when a pooler stands between: connections there may be another's after each transaction. */
  readonly poolUrl?: string;
  readonly poolSize?: number;
  readonly onError: (error: Error) => void;
}

export function openDatabase({ url, poolUrl = url, poolSize = 8, onError }: DatabaseOptions): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: poolUrl,
    types,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    application_name: 'sponsorgate',
  });
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on('error', onError);
  // The pool stops listening when it gives a connection away, a moment before whoever asked for it has it. What the
  // server says in that moment would be heard by nobody, and end the process.
  pool.on('connect', (client) => void client.on('error', ignore));

  return {
    url,
    query: (sql, params) => run(pool, sql, params),
    transaction: (work) => transact(pool, work),
    listen: (channel: string, listener: Listener): Promise<Subscription> => listenOn(url, channel, listener, onError),
    exclusively: (name, work, signal) => runExclusively(url, name, work, signal, onError),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * Whoever dies without a word (a machine without power, a cut network) leaves a transaction open, and its locks with it,
 * until the server's TCP gives up: two hours. Ours never pause between statements, so the server ends those that do. Only
 * for the transaction, since a pooler may give the connection to somebody else after it.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'";

async function transact<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await reach(pool.connect());
    // The pool listens only while it has the connection. One that breaks in our hands fails the next statement; as an
    // event that nobody hears it would end the process.
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await reach(client.query(BEGIN));
      const result = await work(transactionOn(client));
      const { command } = await reach(client.query('COMMIT'));
      // After a failed statement that `work` kept to itself PostgreSQL rolls back, and calls that a success.
      if (command !== 'COMMIT') throw new Error('nothing was committed: a statement of the transaction had failed');
      return result;
    } catch (error) {
      broken = await rollback(client);
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
    } finally {
      client.release(broken);
      client.off('error', ignore); // the pool listens again
    }
  }
}

const ignore = (): void => undefined;

/** A connection that cannot even roll back is thrown away: it could still hold the transaction's locks. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function transactionOn(client: pg.PoolClient): Transaction {
  const query: Queryable['query'] = (sql, params) => run(client, sql, params);
  return {
    query,
    async notify(channel, payload) {
      await query('SELECT pg_notify($1, $2)', [channel, payload]);
    },
    async savepoint(work) {
      await reach(client.query('SAVEPOINT piece'));
      try {
        const result = await work();
        await reach(client.query('RELEASE SAVEPOINT piece'));
        return result;
      } catch (error) {
        // Rolled back it still exists, and would be the one that an outer piece of the same name rolls back to.
        await reach(client.query('ROLLBACK TO SAVEPOINT piece'));
        await reach(client.query('RELEASE SAVEPOINT piece'));
        throw error;
      }
    },
  };
}

async function run<Row extends object>(
  target: pg.Pool | pg.PoolClient,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await reach(target.query<Row>({ name: statementName(text), text, values: params.map(writeValue) }));
  return result.rows;
}

/** Naming a statement makes each connection plan it once; the set of texts is the code's own, so it is bounded. */
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    statementNames.set(text, name);
  }
  return name;
}

/** SQLSTATE classes and codes that speak of the server, not of the statement: connection, resources, shutdown. */
const UNAVAILABLE = /^(08|53|57P)/;

/** Tells a missing server from a refused statement: only the second comes with a verdict of PostgreSQL's own. */
async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) throw error;
    if (error instanceof TypeError) throw error; // a parameter that cannot be sent, and a mistake of ours
    throw new DatabaseUnavailable(`database: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && RETRYABLE_SQLSTATES.has(error.code);
}
