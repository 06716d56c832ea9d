import { createHash } from 'node:crypto';
import type pg from 'pg';
import { currentTracer } from '../core/tracing.ts';
import { isStatementError, unavailable } from './errors.ts';
import { type RowShapes, type Statement, StatementBatch, type StatementResult } from './statement-batch.ts';
import { traceStatement } from './trace-statement.ts';
import type { WireValue } from './wire-messages.ts';

interface QueuedStatement extends Statement {
  readonly startsBatch: boolean;
}

/**
 * The queue of statements of one connection. Statements sent in the same turn of the event loop, or while a batch is in
 * progress, form one batch, because a round trip costs more than most statements.
 */
export class Pipeline {
  readonly #client: pg.ClientBase;
  /**
   * Undefined behind a pooler, which may use a server connection that prepared its statements at another schema
   * version.
   */
  readonly #rowShapes: RowShapes | undefined;
  #queue: QueuedStatement[] = [];
  /** The time at which the current batch was sent; undefined when none is in progress. */
  #busySince: number | undefined;
  #isScheduled = false;
  #broken: Error | undefined;

  constructor(client: pg.ClientBase, options: { readonly isShared: boolean }) {
    this.#client = client;
    this.#rowShapes = options.isShared ? undefined : new Map();
  }

  get busySince(): number | undefined {
    return this.#busySince;
  }

  /** With `startsBatch` the statement begins a new batch, so a failed statement before it does not skip it. */
  send(text: string, values: readonly WireValue[] = [], startsBatch = false): Promise<StatementResult> {
    const sent = new Promise<StatementResult>((resolve, reject) => {
      if (this.#broken !== undefined) {
        reject(this.#broken);
        return;
      }
      this.#queue.push({ name: statementName(text), text, values, startsBatch, resolve, reject });
      if (this.#isScheduled || this.#busySince !== undefined) return;
      this.#isScheduled = true;
      // Wait for the other code of this turn: it may send more statements.
      process.nextTick(this.#sendBatch);
    });
    if (currentTracer() !== undefined) traceStatement(text, sent);
    return sent;
  }

  readonly #sendBatch = (): void => {
    this.#isScheduled = false;
    if (this.#busySince !== undefined || this.#queue.length === 0) return;
    this.#busySince = performance.now();
    this.#client.query(new StatementBatch(this.#takeBatch(), this.#rowShapes ?? new Map(), this.#onDone));
  };

  #takeBatch(): readonly QueuedStatement[] {
    const queue = this.#queue;
    const split = queue.findIndex(({ startsBatch }, i) => startsBatch && i > 0);
    this.#queue = split === -1 ? [] : queue.slice(split);
    return split === -1 ? queue : queue.slice(0, split);
  }

  readonly #onDone = (error: Error | null): void => {
    this.#busySince = undefined;
    if (error !== null && !isStatementError(error)) this.#break(error);
    this.#sendBatch();
  };

  /** Rejects all later statements: a later response could belong to the lost batch. */
  #break(error: Error): void {
    this.#broken = unavailable(error);
    for (const { reject } of this.#queue.splice(0)) reject(this.#broken);
  }
}

/** Each connection prepares a named statement once. The texts come from the code, so the map is bounded. */
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    statementNames.set(text, name);
  }
  return name;
}
