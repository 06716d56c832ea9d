/**
 * The port between the modules and PostgreSQL. Modules see only these types; `db/` implements them with a driver.
 * Store functions take a `Transaction` (or a `Queryable` when they only read) as their first argument.
 */
export interface Queryable {
  /**
   * Runs one parameterised statement and returns its rows. `bigint` columns arrive as `bigint`. Statements of one
   * transaction that do not wait for each other, as in `Promise.all`, share a round trip and run in the order of the
   * calls. When one fails, the later ones do not run.
   */
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /**
   * Sends a notification if this transaction commits. `transaction` returns after the listeners of this process have
   * finished `onOwnNotify`.
   */
  notify(channel: string, payload: string): Promise<void>;
  /** Rolls back only the statements of `work` when it throws, and keeps the rest of the transaction. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Database extends Queryable {
  /**
   * Runs reads on one connection, so that concurrent statements share a round trip. It is not a transaction: only read.
   */
  reading<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /**
   * Commits all statements of `work`, or none. It retries deadlocks and serialisation failures a few times, so `work`
   * may run more than once and must have no effects outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Sends the statements of `lastWrites` together with the COMMIT, which saves a round trip. `lastWrites` must
   * therefore send all its statements at once, as in `Promise.all`: a statement that waited for another one is refused.
   * It must not make decisions by their results, because the transaction has committed or failed when the results
   * arrive.
   */
  transaction<Decided, T>(
    work: (tx: Transaction) => Promise<Decided>,
    lastWrites: (tx: Transaction, decided: Decided) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs `work` on a connection of its own and closes it. Each statement commits by itself, and temporary tables last
   * until the end. For long computations: an open transaction would keep PostgreSQL from removing the old versions of
   * rows that requests update many times a second.
   */
  session<T>(name: string, work: (db: Queryable) => Promise<T>): Promise<T>;
  listen(channel: string, listener: Listener): Promise<Subscription>;
  /**
   * Runs `work` in only one of the processes that share this database, until `signal` fires. The signal passed to
   * `work` also fires when the process loses the lock; another process then takes over within seconds.
   */
  exclusively(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/**
 * The database for reports: a read replica, or the primary when there is none. A replica is some seconds behind, so
 * requests that show tasks, count subscriptions or move money must not read it.
 */
export interface ReportDatabase extends Queryable {
  /** Returns how old the figures are; undefined while they come from the primary. */
  ageSeconds(): number | undefined;
}

export interface Listener {
  /** Called for every notification, from this process or another. */
  onNotify(payload: string): void;
  /**
   * Called after the COMMIT for a notification from a transaction of this process. That `transaction` waits until it
   * returns, for 10 s at most. An error is logged.
   */
  onOwnNotify?(payload: string): Promise<void>;
  /** Called after a lost connection is restored. Notifications sent meanwhile are lost, so caches must reload. */
  onReconnect(): void;
}

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Returns whether the error says that a row with this key exists already, for example because of a concurrent request.
 */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/**
 * The database server is unreachable or closed the connection. The statement itself may be correct and can be retried.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
