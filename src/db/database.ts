import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Database,
  DatabaseUnavailable,
  type Listener,
  type Queryable,
  type Subscription,
} from '../core/database.ts';
import { waitAtMost } from '../core/wait-at-most.ts';
import { createConnections, type PoolConnections, runQueries, runQuery } from './connections.ts';
import { runExclusively } from './exclusive.ts';
import { listenOn } from './listen.ts';
import { CONNECT_LIMIT_MS, closeAtOnce, createPrimaryGuard, type DirectAccess } from './primary-guard.ts';
import { type ServerWatch, watchServer } from './server-watch.ts';
import { runSession } from './session.ts';
import { type LastWrites, type Notification, runTransaction, type Work } from './transaction.ts';

export interface OpenDatabase extends Database {
  readonly url: string;
  /** Returns the current state of the pool, for the metrics. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Throws unless the database replies within seconds and accepts writes. */
  checkReady(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The address for the pool when a pooler is used. A pooler may change the server connection after each transaction.
   */
  readonly poolUrl?: string;
  readonly poolSize?: number;
  /** A connection without a response for this long counts as dead. */
  readonly queryTimeoutMs?: number;
  readonly onError: (error: Error) => void;
}

/** A listener may query the database. If the database hangs, a committed transaction must still return. */
const OWN_NOTIFY_LIMIT_MS = 10_000;

export function openDatabase({
  url,
  poolUrl = url,
  poolSize = 8,
  queryTimeoutMs = 60_000,
  onError,
}: DatabaseOptions): OpenDatabase {
  const isShared = poolUrl !== url;
  const guard = createPrimaryGuard(() => connections.closeOutdated());
  const pool = new pg.Pool({
    connectionString: poolUrl,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'sponsorgate',
    verify(client, done) {
      guard.admit(client, CONNECT_LIMIT_MS).then(
        () => done(),
        (error: unknown) => {
          closeAtOnce(client); // an orderly end would wait for a server that may hang
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
  });
  // The pool replaces an idle connection that breaks. Without a listener the event would end the process.
  pool.on('error', onError);
  // The pool listens only while it owns the connection. A checked-out connection that breaks fails its current or next
  // statement; without this listener the event would end the process.
  pool.on('connect', (client) => void client.on('error', ignore));
  const connections: PoolConnections = createConnections(pool, { isShared, guard, watch: () => watch });
  const watch: ServerWatch = watchServer({
    url: poolUrl,
    guard,
    isShared,
    inUse: connections.inUse,
    oldestWait: connections.oldestWait,
    onAway(reason) {
      onError(reason);
      connections.rejectWaiting(reason);
    },
  });

  const direct: DirectAccess = { url, guard, untilBack: watch.untilBack, onError };
  const listeners = new Map<Listener, string>();

  async function deliverOwn(notifications: readonly Notification[]): Promise<void> {
    const applied: Promise<void>[] = [];
    for (const { channel, payload } of notifications) {
      for (const [listener, heard] of listeners) {
        if (heard !== channel || listener.onOwnNotify === undefined) continue;
        // The transaction is committed: an error here must not make its caller believe that it failed.
        applied.push(listener.onOwnNotify(payload).catch(onError));
      }
    }
    await waitAtMost(OWN_NOTIFY_LIMIT_MS, Promise.all(applied));
  }

  const query: Database['query'] = (sql, params) => runQuery(connections, sql, params);
  return {
    url,
    query,
    checkReady: () => checkReady({ query }),
    reading: (work) => runQueries(connections, work),
    transaction: <Decided, T>(
      work: Work<Decided>,
      lastWrites: LastWrites<Decided, T> = (_tx, decided) => Promise.resolve(decided as unknown as T),
    ) => runTransaction(connections, work, lastWrites, deliverOwn),
    async listen(channel: string, listener: Listener): Promise<Subscription> {
      const subscription = await listenOn(direct, channel, listener);
      listeners.set(listener, channel);
      return {
        close() {
          listeners.delete(listener);
          return subscription.close();
        },
      };
    },
    session: (name, work) => runSession(direct, { name, queryTimeoutMs }, work),
    exclusively: (name, work, signal) => runExclusively(direct, name, work, signal),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      watch.close();
      await pool.end();
    },
  };
}

const ignore = (): void => undefined;

/** Shorter than the timeouts of the callers: a load balancer and Docker's health check. */
const TIMEOUT_MS = 3_000;

/** Throws unless the database replies in time and accepts writes. A standby does not accept writes. */
export async function checkReady(db: Queryable): Promise<void> {
  const timer = new AbortController();
  const asked = db.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
  const late = sleep(TIMEOUT_MS, undefined, { signal: timer.signal });
  late.catch(() => undefined);
  asked.catch(() => undefined); // may fail long after the timeout
  try {
    const rows = await Promise.race([asked, late]);
    if (rows === undefined) throw new DatabaseUnavailable(`database: no answer within ${TIMEOUT_MS} ms`);
    if (rows[0]?.is_standby !== false) throw new DatabaseUnavailable('database: it is a standby and takes no writes');
  } finally {
    timer.abort();
  }
}
