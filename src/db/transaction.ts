import type { Transaction } from '../core/database.ts';
import type { Lines } from './connections.ts';
import { isOutdated, isRetryable, rootOf } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { Answer } from './statement-batch.ts';
import { writeParameters } from './wire-values.ts';

const MAX_ATTEMPTS = 5;

/**
 * Whoever dies without a word (a machine without power, a cut network) leaves a transaction open, and its locks with it,
 * until the server's TCP gives up: two hours. Ours never pause between statements, so the server ends those that do. Only
 * for the transaction, since a pooler may give the connection to somebody else after it.
 */
const BEGIN = ['BEGIN', "SET LOCAL idle_in_transaction_session_timeout = '30s'"] as const;

export type Work<T> = (tx: Transaction) => Promise<T>;
export type LastWrites<Decided, T> = (tx: Transaction, decided: Decided) => Promise<T>;

export interface Notification {
  readonly channel: string;
  readonly payload: string;
}

/** `afterCommit` gets the notifications of the transaction once its connection is back in the pool. */
export async function transact<Decided, T>(
  lines: Lines,
  work: Work<Decided>,
  lastWrites: LastWrites<Decided, T>,
  afterCommit: (notifications: readonly Notification[]) => Promise<void>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const line = await lines.lend();
    const open = openTransaction(line.pipeline);
    let broken: Error | undefined;
    let result: T;
    try {
      const decided = await work(open.tx);
      result = await open.commit(() => lastWrites(open.tx, decided));
    } catch (error) {
      broken = await open.rollback();
      // Every connection that there is can be outdated, and none twice.
      const isTriedAgain = isOutdated(error) ? attempt <= lines.max : attempt < MAX_ATTEMPTS && isRetryable(error);
      if (isOutdated(error)) broken ??= new Error('prepared before a migration', { cause: error });
      if (!isTriedAgain) throw rootOf(error);
      continue;
    } finally {
      line.release(broken);
    }
    if (open.notifications.length > 0) await afterCommit(open.notifications);
    return result;
  }
}

interface OpenTransaction {
  readonly tx: Transaction;
  readonly notifications: readonly Notification[];
  commit<T>(lastWrites: () => Promise<T>): Promise<T>;
  /** What makes the connection unusable, if something does: it could still hold the transaction's locks. */
  rollback(): Promise<Error | undefined>;
}

function openTransaction(pipeline: Pipeline): OpenTransaction {
  let state: 'new' | 'begun' | 'over' = 'new';
  /** On the server: from BEGIN until it has said that it committed. */
  let isOpen = false;
  const notifications: Notification[] = [];

  /** BEGIN waits for the first statement and travels with it. */
  function send(...[text, values, isApart]: Parameters<Pipeline['send']>): Promise<Answer> {
    if (state === 'over')
      return Promise.reject(new Error('the transaction is over: a statement came after its COMMIT'));
    if (state === 'new') {
      // Whatever keeps them from being run also keeps the statement from it, and that one has somebody who listens.
      for (const sql of BEGIN) pipeline.send(sql).catch(ignore);
      state = 'begun';
      isOpen = true;
    }
    return pipeline.send(text, values, isApart);
  }

  async function answerOf<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await send(sql, writeParameters(params))).rows as Row[];
    } catch (error) {
      // The trace of where it was asked for, instead of the socket's.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  const tx: Transaction = {
    query(sql, params) {
      const answer = answerOf<never>(sql, params);
      // When one fails, those beside it do too, whether anybody waits for them yet or not. Nothing is hidden by this: a
      // transaction with a failed statement cannot be committed.
      answer.catch(ignore);
      return answer;
    },
    async notify(channel, payload) {
      notifications.push({ channel, payload });
      await tx.query('SELECT pg_notify($1, $2)', [channel, payload]);
    },
    async savepoint(work) {
      await send('SAVEPOINT piece');
      try {
        const result = await work();
        await send('RELEASE SAVEPOINT piece');
        return result;
      } catch (error) {
        // Rolled back it still exists, and would be the one that an outer piece of the same name rolls back to.
        await Promise.all([send('ROLLBACK TO SAVEPOINT piece', [], true), send('RELEASE SAVEPOINT piece')]);
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
      // After a failed statement that `work` kept to itself PostgreSQL rolls back, and calls that a success.
      if (committed.value.tag !== 'COMMIT') {
        throw new Error('nothing was committed: a statement of the transaction had failed');
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
