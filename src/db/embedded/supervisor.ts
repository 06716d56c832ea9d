import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../core/errors.ts';
import type { RunningServer } from './server.ts';

export interface Supervision {
  /** Called with one line each time the server has ended or fails to restart. */
  readonly onFault: (line: string) => void;
  /**
   * Called once, when restarts have failed for too long. The process must then end, so that its own supervisor acts.
   */
  readonly onLost: (error: StartError) => void;
  /** A server that is not stable again after this time is lost. */
  readonly restartForMs: number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A server that ran this long was stable; its end begins a new series of restarts. */
const STABLE_MS = 60_000;

/** Restarts a server that ends by itself (killed, out of memory, full disk), so that the service keeps running. */
export function superviseServer(
  first: RunningServer,
  restart: (signal: AbortSignal) => Promise<RunningServer>,
  { onFault, onLost, restartForMs }: Supervision,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopAsked = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  let server = first;
  let startedAt = performance.now();
  let restarts = 0;
  let seriesBeganAt = 0;

  async function watch(): Promise<void> {
    for (;;) {
      await Promise.race([server.exited, stopAsked]);
      if (signal.aborted) return;
      if (performance.now() - startedAt > STABLE_MS) restarts = 0;
      if (restarts === 0) seriesBeganAt = performance.now();
      if (!(await revive(`the server ended by itself (${server.exit()})`))) return;
    }
  }

  async function revive(end: string): Promise<boolean> {
    for (let fault = end; ; ) {
      // The first restart is immediate: a kill does not damage the data.
      const delayMs = restarts === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (restarts - 1), LONGEST_DELAY_MS);
      if (restarts > 0 && performance.now() - seriesBeganAt + delayMs > restartForMs) {
        onLost(new StartError(`the embedded PostgreSQL is lost after ${restarts} restarts: ${fault}`));
        return false;
      }
      restarts++;
      onFault(`${fault}; restart ${restarts} follows in ${delayMs} ms`);
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
      try {
        server = await restart(signal);
        startedAt = performance.now();
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        fault = error instanceof Error ? error.message : String(error);
      }
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
      await server.stop();
    },
  };
}
