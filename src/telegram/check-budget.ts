import { setTimeout as sleep } from 'node:timers/promises';

/** Telegram allows a bot so many calls a second; this spends them: at once if there is one left, or in turn. */
export interface CheckBudget {
  tryTake(): boolean;
  take(): Promise<void>;
}

export function createCheckBudget(perSecond: number, nowMs: () => number = () => performance.now()): CheckBudget {
  const spacingMs = 1000 / perSecond;
  /** When the next check may start. May lie up to a second in the past, which is the burst that has been saved up. */
  let nextAt = nowMs() - 1000;

  function claim(): number {
    const start = Math.max(nextAt, nowMs() - 1000);
    nextAt = start + spacingMs;
    return start;
  }

  return {
    tryTake() {
      if (Math.max(nextAt, nowMs() - 1000) > nowMs()) return false;
      claim();
      return true;
    },
    async take() {
      const waitMs = claim() - nowMs();
      if (waitMs > 0) await sleep(waitMs);
    },
  };
}
