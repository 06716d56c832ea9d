import { current } from './store.ts';

/** Returns the sandbox's time: the browser's time plus the offset of the moved clock. */
export const sandboxNow = (): Date => new Date(Date.now() + (current().world?.clock_ahead_seconds ?? 0) * 1_000);
