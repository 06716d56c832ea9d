import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for something that never comes. A limit that is part of the behaviour belongs to the test itself. */
const LIMIT_MS = 300_000;

/** Waits until `holds` returns true, for what another process or connection does in its own time. */
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

/** A promise that other code resolves by opening the gate. */
export function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}
