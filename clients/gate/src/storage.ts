import type { TelegramUpdate } from './updates.ts';

/** What the gate stores about one user. */
export interface GateRecord {
  /** Until when the user may enter without a new check. Milliseconds since 1970. */
  passUntil?: number;
  /** The update that the gate held back. It is handled when the user has passed. */
  held?: { update: TelegramUpdate; until: number };
}

/**
 * Where the gate stores passes and held updates, by the user's id. grammY's storage adapters for sessions fit, as does
 * anything else that stores JSON.
 */
export interface GateStorage {
  read(key: string): GateRecord | undefined | Promise<GateRecord | undefined>;
  write(key: string, record: GateRecord): unknown;
  delete(key: string): unknown;
}

/** Stores records in the memory of the process. When it is full, drops the one that was not read for the longest time. */
export class MemoryStorage implements GateStorage {
  readonly #records = new Map<string, GateRecord>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  read(key: string): GateRecord | undefined {
    const record = this.#records.get(key);
    // A Map keeps the order of insertion: a record that is read moves to the end.
    if (record !== undefined) this.write(key, record);
    return record;
  }

  write(key: string, record: GateRecord): void {
    this.#records.delete(key);
    this.#records.set(key, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= this.#maxSize) break;
      this.#records.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#records.delete(key);
  }
}
