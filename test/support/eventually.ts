import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends a wait for a condition that never holds. A time limit that the service guarantees belongs in the test itself.
 */
const LIMIT_MS = 300_000;

/** Waits until `holds` returns true. For changes that another process or connection makes. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { everyMs = 20 }: { readonly everyMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${LIMIT_MS / 1000} s: ${what}`, { cause: last });
    await sleep(everyMs);
  }
}

/** Returns a promise and the function that resolves it. */
export function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}
