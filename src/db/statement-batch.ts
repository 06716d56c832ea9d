import type pg from 'pg';
import { isStatementError, StatementSkipped, unavailable } from './errors.ts';
import { MessageWriter, type WireValue } from './wire-messages.ts';
import { readerOf } from './wire-values.ts';

/** The part of the driver's connection that a batch uses; the driver's types lack `parsedStatements`. */
export interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): boolean };
  /** The statements that this connection has prepared, by name. The driver fills it, see `StatementBatch.name`. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  sendCopyFail(message: string): void;
}

export interface StatementResult {
  readonly rows: object[];
  /** PostgreSQL's command tag: `INSERT 0 3`, `COMMIT`. */
  readonly tag: string;
}

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly WireValue[];
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
}

/** The columns of a statement's rows. The server describes them once per connection. */
interface RowShape {
  readonly names: readonly string[];
  readonly readers: readonly ((text: string) => unknown)[];
  readonly empty: object;
}

/** The row shapes that a connection knows, by the statement's name. */
export type RowShapes = Map<string, RowShape>;

const NO_COLUMNS: RowShape = { names: [], readers: [], empty: {} };

/** One per process suffices: a batch is written in one synchronous call. */
const writer = new MessageWriter();

/**
 * Statements that are sent together: one write, one Sync, one response. For the driver it is a query object: the driver
 * passes it every message until the server is ready again (node_modules/pg/lib/client.js).
 */
export class StatementBatch implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #rowShapes: RowShapes;
  readonly #results: StatementResult[] = [];
  readonly #unreadable = new Map<Statement, unknown>();
  #rows: object[] = [];
  #rowShape: RowShape | undefined;
  /** The driver replaces this callback with a version that has a timeout. */
  callback: (error: Error | null) => void;

  constructor(statements: readonly Statement[], rowShapes: RowShapes, onDone: (error: Error | null) => void) {
    this.#statements = statements;
    this.#rowShapes = rowShapes;
    this.callback = (error) => {
      this.#settle(error);
      onDone(error);
    };
  }

  /** The driver stores `name` and `text` in `parsedStatements` when PostgreSQL accepts a Parse. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#results.length];
  }

  submit(driver: pg.Connection): Error | null {
    const connection = driver as unknown as DriverConnection;
    try {
      this.#write(connection.parsedStatements);
    } catch (error) {
      writer.take(); // drops the half-written message
      return error instanceof Error ? error : new Error(String(error));
    }
    const bytes = writer.take();
    // If the stream is not writable, the driver is about to report that the connection ended.
    if (connection.stream.writable) connection.stream.write(bytes);
    return null;
  }

  #write(parsed: DriverConnection['parsedStatements']): void {
    const introduced = new Set<string>();
    for (const { name, text, values } of this.#statements) {
      const isFirst = !introduced.has(name);
      if (isFirst && parsed[name] === undefined) writer.parse(name, text);
      writer.bind(name, values);
      if (isFirst && !this.#rowShapes.has(name)) writer.describe();
      writer.execute();
      introduced.add(name);
    }
    writer.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const names = fields.map((field) => field.name);
    this.#rowShape = {
      names,
      readers: fields.map((field) => readerOf(field.dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rowShape ??= this.#rowShapes.get(this.name ?? '') ?? NO_COLUMNS;
    const { names, readers, empty } = this.#rowShape;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i];
        if (typeof text === 'string') row[names[i] as string] = readers[i]?.(text);
      }
    } catch (error) {
      if (this.#current !== undefined) this.#unreadable.set(this.#current, error);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#current;
    if (statement !== undefined && !this.#rowShapes.has(statement.name)) {
      this.#rowShapes.set(statement.name, this.#rowShape ?? NO_COLUMNS);
    }
    this.#results.push({ rows: this.#rows, tag: text });
    this.#rows = [];
    this.#rowShape = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleCopyInResponse(connection: DriverConnection): void {
    connection.sendCopyFail('COPY is not sent this way');
  }

  handleCopyData(): void {}

  /** Settles the statements in the order in which they were sent. */
  #settle(error: Error | null): void {
    // Results that arrived before the loss of the connection may not be committed.
    const completed = error === null || isStatementError(error) ? this.#results.length : 0;
    // The error can follow the last result: PostgreSQL checks deferred constraints when a single statement commits.
    const failed = error === null ? this.#statements.length : Math.min(completed, this.#statements.length - 1);
    for (const [i, statement] of this.#statements.entries()) {
      const result = this.#results[i];
      if (i < failed && result !== undefined) this.#deliver(statement, result);
      else if (error === null) statement.reject(new Error('PostgreSQL did not respond to the statement'));
      else if (!isStatementError(error)) statement.reject(unavailable(error));
      else if (i === failed) statement.reject(error);
      else statement.reject(new StatementSkipped(`not run: ${error.message}`, { cause: error }));
    }
  }

  #deliver(statement: Statement, result: StatementResult): void {
    if (this.#unreadable.has(statement)) statement.reject(this.#unreadable.get(statement));
    else statement.resolve(result);
  }
}
