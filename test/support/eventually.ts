import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Waits until `holds` answers true, for what another process or connection does in its own time; bounded. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 20 }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last });
    await sleep(everyMs);
  }
}

/** A promise that somebody else opens. */
export function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
}
