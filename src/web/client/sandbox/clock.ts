import { current } from './store.ts';

/** The sandbox's time: ours, and as far ahead as it was moved. */
export const sandboxNow = (): Date => new Date(Date.now() + (current().world?.clock_ahead_seconds ?? 0) * 1_000);
