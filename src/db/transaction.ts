import type { Transaction } from '../core/database.ts';
import type { Connections } from './connections.ts';
import { isPlanOutdated, isRetryable, rootCauseOf } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { StatementResult } from './statement-batch.ts';
import { writeParameters } from './wire-values.ts';

const MAX_ATTEMPTS = 5;

/**
 * After a power failure or a cut network the server keeps the client's transaction and its locks until TCP times out,
 * which takes two hours. Our transactions never pause, so the server may end one that is idle for 30 s. The setting is
 * local because a pooler may give the connection to another client afterwards.
 */
const BEGIN = ['BEGIN', "SET LOCAL idle_in_transaction_session_timeout = '30s'"] as const;

export type Work<T> = (tx: Transaction) => Promise<T>;
export type LastWrites<Decided, T> = (tx: Transaction, decided: Decided) => Promise<T>;

export interface Notification {
  readonly channel: string;
  readonly payload: string;
}

/**
 * Runs `work` and `lastWrites` in one transaction. `afterCommit` gets its notifications once the connection is in the
 * pool again.
 */
export async function runTransaction<Decided, T>(
  connections: Connections,
  work: Work<Decided>,
  lastWrites: LastWrites<Decided, T>,
  afterCommit: (notifications: readonly Notification[]) => Promise<void>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const connection = await connections.acquire();
    const open = openTransaction(connection.pipeline);
    let broken: Error | undefined;
    let result: T;
    try {
      const decided = await work(open.tx);
      result = await open.commit(() => lastWrites(open.tx, decided));
    } catch (error) {
      broken = await open.rollback();
      const isOutdated = isPlanOutdated(error);
      if (isOutdated) broken ??= new Error('prepared before a migration', { cause: error });
      // Every connection of the pool can be outdated once.
      const canRetry = isOutdated ? attempt <= connections.max : attempt < MAX_ATTEMPTS && isRetryable(error);
      if (!canRetry) throw rootCauseOf(error);
      continue;
    } finally {
      connection.release(broken);
    }
    if (open.notifications.length > 0) await afterCommit(open.notifications);
    return result;
  }
}

interface OpenTransaction {
  readonly tx: Transaction;
  readonly notifications: readonly Notification[];
  commit<T>(lastWrites: () => Promise<T>): Promise<T>;
  /** Returns an error when the connection may still hold the transaction's locks and must be closed. */
  rollback(): Promise<Error | undefined>;
}

function openTransaction(pipeline: Pipeline): OpenTransaction {
  let state: 'new' | 'begun' | 'over' = 'new';
  /** Whether the transaction is open on the server: from BEGIN until the server confirms the COMMIT. */
  let isOpen = false;
  const notifications: Notification[] = [];

  /** Sends BEGIN together with the first statement. */
  function send(...[text, values, startsBatch]: Parameters<Pipeline['send']>): Promise<StatementResult> {
    if (state === 'over') return Promise.reject(new Error('a statement was issued after the COMMIT'));
    if (state === 'new') {
      // If BEGIN fails, the statement after it is skipped and reports the error.
      for (const sql of BEGIN) pipeline.send(sql).catch(ignore);
      state = 'begun';
      isOpen = true;
    }
    return pipeline.send(text, values, startsBatch);
  }

  async function rowsOf<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await send(sql, writeParameters(params))).rows as Row[];
    } catch (error) {
      // Replace the stack trace of the socket with that of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  const tx: Transaction = {
    query(sql, params) {
      const rows = rowsOf<never>(sql, params);
      // A failed statement also fails those sent with it, which `work` may not await yet. This hides no error: a
      // transaction with a failed statement cannot commit.
      rows.catch(ignore);
      return rows;
    },
    async notify(channel, payload) {
      notifications.push({ channel, payload });
      await tx.query('SELECT pg_notify($1, $2)', [channel, payload]);
    },
    async savepoint(work) {
      await send('SAVEPOINT part');
      try {
        const result = await work();
        await send('RELEASE SAVEPOINT part');
        return result;
      } catch (error) {
        // Release it too: an outer savepoint has the same name and would otherwise roll back to this one.
        await Promise.all([send('ROLLBACK TO SAVEPOINT part', [], true), send('RELEASE SAVEPOINT part')]);
        throw error;
      }
    },
  };

  return {
    tx,
    notifications,
    async commit(lastWrites) {
      const writing = lastWrites();
      if (state === 'new') {
        state = 'over';
        return await writing;
      }
      const committing = send('COMMIT');
      state = 'over';
      const [written, committed] = await Promise.allSettled([writing, committing]);
      if (committed.status === 'rejected') throw written.status === 'rejected' ? written.reason : committed.reason;
      isOpen = false;
      // When `work` swallowed the error of a statement, PostgreSQL rolls back and reports success.
      if (committed.value.tag !== 'COMMIT') {
        throw new Error('not committed: a statement of the transaction failed');
      }
      if (written.status === 'rejected') throw new Error('failed after the commit', { cause: written.reason });
      return written.value;
    },
    async rollback() {
      state = 'over';
      if (!isOpen) return undefined;
      try {
        await pipeline.send('ROLLBACK', [], true);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    },
  };
}

const ignore = (): void => undefined;
