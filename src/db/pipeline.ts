import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isVerdict, unavailable } from './errors.ts';
import { type Answer, Flight, type Shapes, type Statement } from './statement-batch.ts';
import type { WireValue } from './wire-messages.ts';

interface Waiting extends Statement {
  readonly isApart: boolean;
}

/**
 * The statements of one connection. Those that are issued in the same turn, or while others are under way, travel
 * together: a round trip costs more than most statements do.
 */
export class Pipeline {
  readonly #client: pg.PoolClient;
  /** Not kept when a pooler may give every transaction another server connection, prepared after another migration. */
  readonly #shapes: Shapes | undefined;
  #waiting: Waiting[] = [];
  #isFlying = false;
  #isDue = false;
  #broken: Error | undefined;

  constructor(client: pg.PoolClient, options: { readonly isShared: boolean }) {
    this.#client = client;
    this.#shapes = options.isShared ? undefined : new Map();
  }

  /** `isApart`: is not skipped when a statement before it fails, and so begins a round trip of its own. */
  send(text: string, values: readonly WireValue[] = [], isApart = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== undefined) {
        reject(this.#broken);
        return;
      }
      this.#waiting.push({ name: statementName(text), text, values, isApart, resolve, reject });
      if (this.#isDue || this.#isFlying) return;
      this.#isDue = true;
      // Behind everything that can still run without waiting for the outside, and that may have more to send.
      process.nextTick(this.#takeOff);
    });
  }

  readonly #takeOff = (): void => {
    this.#isDue = false;
    if (this.#isFlying || this.#waiting.length === 0) return;
    this.#isFlying = true;
    this.#client.query(new Flight(this.#nextToFly(), this.#shapes ?? new Map(), this.#land));
  };

  #nextToFly(): readonly Waiting[] {
    const next = this.#waiting;
    const apart = next.findIndex(({ isApart }, i) => isApart && i > 0);
    this.#waiting = apart === -1 ? [] : next.slice(apart);
    return apart === -1 ? next : next.slice(0, apart);
  }

  readonly #land = (error: Error | null): void => {
    this.#isFlying = false;
    if (error !== null && !isVerdict(error)) this.#break(error);
    this.#takeOff();
  };

  /** Without an answer nobody knows what the next one would belong to: nothing more is sent here. */
  #break(error: Error): void {
    this.#broken = unavailable(error);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#broken);
  }
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
