export interface ExpiringSetOptions {
  readonly ttlMs: number;
  readonly maxSize: number;
  readonly now: () => number;
}

/** Stores keys for a limited time. When it is full, drops the key that was not read for the longest time. */
export class ExpiringSet {
  readonly #until = new Map<string, number>();
  readonly #options: ExpiringSetOptions;

  constructor(options: ExpiringSetOptions) {
    this.#options = options;
  }

  has(key: string): boolean {
    const until = this.#until.get(key);
    if (until === undefined) return false;
    // A Map keeps the order of insertion: a key that is read moves to the end.
    this.#until.delete(key);
    if (until <= this.#options.now()) return false;
    this.#until.set(key, until);
    return true;
  }

  add(key: string): void {
    const { ttlMs, maxSize, now } = this.#options;
    this.#until.delete(key);
    this.#until.set(key, now() + ttlMs);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= maxSize) break;
      this.#until.delete(oldest);
    }
  }
}
