/** Resolves like `answer`, or rejects when it takes longer than the time limit. Ignores a later result. */
export async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // Node runs timers before it reads from the network. After a pause of this process, such as a garbage collection, the
  // reply may have arrived in time but unread. `setImmediate` lets Node read it first.
  const timer = setTimeout(() => {
    setImmediate(() => reject(new Error(`no answer within ${milliseconds} ms`)));
  }, milliseconds);
  answer.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
