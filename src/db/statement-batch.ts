import type pg from 'pg';
import { isVerdict, StatementSkipped, unavailable } from './errors.ts';
import { MessageWriter, type WireValue } from './wire-messages.ts';
import { readerOf } from './wire-values.ts';

/** The part of the driver's connection that a flight uses; its types do not mention the book of statements. */
export interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): boolean };
  /** The statements that this connection has prepared, by name. The driver writes it up, see `Flight.name`. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  sendCopyFail(message: string): void;
}

export interface Answer {
  readonly rows: object[];
  /** What PostgreSQL says it did: `INSERT 0 3`, `COMMIT`. */
  readonly tag: string;
}

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly WireValue[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The columns of a statement's rows, as described by the server once. */
interface Shape {
  readonly names: readonly string[];
  readonly readers: readonly ((text: string) => unknown)[];
  readonly empty: object;
}

/** What a connection knows about its statements' rows, by the statement's name. */
export type Shapes = Map<string, Shape>;

const NO_COLUMNS: Shape = { names: [], readers: [], empty: {} };

/** One for the process: a flight is written from beginning to end without a pause. */
const writer = new MessageWriter();

/**
 * Statements that travel together: one write, one Sync, one answer. A query object for the driver, which hands it every
 * message until the server is ready again (node_modules/pg/lib/client.js).
 */
export class Flight implements pg.Submittable {
  readonly #statements: readonly Statement[];
  readonly #shapes: Shapes;
  readonly #answers: Answer[] = [];
  readonly #unreadable = new Map<Statement, unknown>();
  #rows: object[] = [];
  #shape: Shape | undefined;
  /** The driver puts its timeout around it, and calls it when that is over. */
  callback: (error: Error | null) => void;

  constructor(statements: readonly Statement[], shapes: Shapes, onLanded: (error: Error | null) => void) {
    this.#statements = statements;
    this.#shapes = shapes;
    this.callback = (error) => {
      this.#settle(error);
      onLanded(error);
    };
  }

  /** With `text`, what the driver enters into the connection's book when PostgreSQL has accepted a Parse. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#answers.length];
  }

  submit(driver: pg.Connection): Error | null {
    const connection = driver as unknown as DriverConnection;
    try {
      this.#write(connection.parsedStatements);
    } catch (error) {
      writer.take(); // half of a message is not for the next one
      return error instanceof Error ? error : new Error(String(error));
    }
    const bytes = writer.take();
    // Otherwise the connection is about to tell the driver that it has ended, and the driver us.
    if (connection.stream.writable) connection.stream.write(bytes);
    return null;
  }

  #write(parsed: DriverConnection['parsedStatements']): void {
    const introduced = new Set<string>();
    for (const { name, text, values } of this.#statements) {
      const isFirst = !introduced.has(name);
      if (isFirst && parsed[name] === undefined) writer.parse(name, text);
      writer.bind(name, values);
      if (isFirst && !this.#shapes.has(name)) writer.describe();
      writer.execute();
      introduced.add(name);
    }
    writer.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const names = fields.map((field) => field.name);
    this.#shape = {
      names,
      readers: fields.map((field) => readerOf(field.dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    };
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#shape ??= this.#shapes.get(this.name ?? '') ?? NO_COLUMNS;
    const { names, readers, empty } = this.#shape;
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
    if (statement !== undefined && !this.#shapes.has(statement.name)) {
      this.#shapes.set(statement.name, this.#shape ?? NO_COLUMNS);
    }
    this.#answers.push({ rows: this.#rows, tag: text });
    this.#rows = [];
    this.#shape = undefined;
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

  /** In the order in which they were sent. */
  #settle(error: Error | null): void {
    // What was answered before the connection was lost may not have been kept.
    const answered = error === null || isVerdict(error) ? this.#answers.length : 0;
    // The verdict can also come at the very end: what was deferred is checked when the statement commits by itself.
    const failed = error === null ? this.#statements.length : Math.min(answered, this.#statements.length - 1);
    for (const [i, statement] of this.#statements.entries()) {
      const answer = this.#answers[i];
      if (i < failed && answer !== undefined) this.#deliver(statement, answer);
      else if (error === null) statement.reject(new Error('PostgreSQL has not answered the statement'));
      else if (!isVerdict(error)) statement.reject(unavailable(error));
      else if (i === failed) statement.reject(error);
      else statement.reject(new StatementSkipped(`not run: ${error.message}`, { cause: error }));
    }
  }

  #deliver(statement: Statement, answer: Answer): void {
    if (this.#unreadable.has(statement)) statement.reject(this.#unreadable.get(statement));
    else statement.resolve(answer);
  }
}
