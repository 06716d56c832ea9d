/** Runs work with a common key in the order of arrival, and all other work concurrently. */
export interface Sequencer {
  run(keys: readonly string[], work: () => Promise<void>): Promise<void>;
}

export function createSequencer(): Sequencer {
  /** By key: resolves when the last work with the key is done. Never rejects. */
  const tails = new Map<string, Promise<void>>();
  return {
    run(keys, work) {
      const earlier = keys.map((key) => tails.get(key) ?? Promise.resolve());
      const result = Promise.all(earlier).then(work);
      const done = result.catch(() => undefined);
      for (const key of keys) tails.set(key, done);
      void done.then(() => {
        for (const key of keys) if (tails.get(key) === done) tails.delete(key);
      });
      return result;
    },
  };
}
