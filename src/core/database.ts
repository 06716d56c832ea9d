/**
 * The port between the business and PostgreSQL. Modules see only these types; `db/` implements them with a driver.
 * Store functions take a `Transaction` (or a `Queryable` when they only read) as their first argument.
 */
export interface Queryable {
  /**
   * Runs one parameterised statement and answers its rows. `bigint` columns arrive as `bigint`. Statements of one
   * transaction that do not wait for each other, as in `Promise.all`, share a round trip and run in the order in which
   * they were asked for; when one fails, those behind it are not run.
   */
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /**
   * Sends a notification when, and only when, this transaction commits. Before `transaction` returns, listeners of this
   * process have finished `onOwnNotify`.
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Undoes one piece of the transaction when that piece throws, and keeps the rest. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Database extends Queryable {
  /** Reads on one connection, so that what is asked for at once shares a round trip. Not a transaction: for reading only. */
  reading<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /**
   * Commits what `work` did, or nothing. Deadlocks and serialisation failures are retried a few times, so `work` may
   * run more than once and must not touch anything outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * What `lastWrites` sends travels together with the COMMIT. It therefore sends everything at once, as in
   * `Promise.all`: a statement that comes after waiting for another is refused. And it decides nothing by the answers:
   * when they come, all of it is committed, or has failed.
   */
  transaction<Decided, T>(
    work: (tx: Transaction) => Promise<Decided>,
    lastWrites: (tx: Transaction, decided: Decided) => Promise<T>,
  ): Promise<T>;
  listen(channel: string, listener: Listener): Promise<Subscription>;
  /**
   * Does `work` in one process at a time over all that share this database, for as long as `signal` allows. The signal
   * handed to `work` also fires when the lock is lost; another process then takes over within seconds.
   */
  exclusively(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface Listener {
  /** Called for every notification, whichever process sent it. */
  onNotify(payload: string): void;
  /** Called first for a notification that a transaction of this process sent; that `transaction` waits for it. */
  onOwnNotify?(payload: string): Promise<void>;
  /** Called after a lost connection came back: notifications sent in between were missed, so caches must reload. */
  onReconnect(): void;
}

export interface Subscription {
  close(): Promise<void>;
}

/** A row with this key exists already: somebody else was faster. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** The server could not be reached or went away: nothing is wrong with the work itself, and it may be tried again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
