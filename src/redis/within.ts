/** The answer, or an error when it is not there in time. Whatever comes later is dropped. */
export async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // Node looks at timers before it looks at the network. After a pause of our own the answer may have come in time and
  // lie there unread, so it is given the rest of this turn.
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
