/** Runs one piece of work per key at a time. Calls in the meantime get the same result, with `isFirst: false`. */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<T>>();

  async run(key: string, work: () => Promise<T>): Promise<{ readonly result: T; readonly isFirst: boolean }> {
    const running = this.#running.get(key);
    if (running !== undefined) return { result: await running, isFirst: false };
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return { result: await started, isFirst: true };
  }
}
