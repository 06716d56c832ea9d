import { setTimeout as sleep } from 'node:timers/promises';

/** Telegram allows a bot so many calls a second; this spends them: at once if there is one left, or in turn. */
export interface CheckBudget {
  tryTake(): boolean;
  take(): Promise<void>;
}

interface Time {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

const machineTime: Time = { nowMs: () => performance.now(), sleep };

/** In no stretch of one second do more than `perSecond` checks start; that many may start at once. */
export function createCheckBudget(perSecond: number, time = machineTime): CheckBudget {
  /** When the last so many checks started, or will: a further one may start a second after the oldest of them. */
  const starts = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;

  const possibleAt = (): number => (starts[oldest] ?? 0) + 1000;

  function claim(start: number): void {
    starts[oldest] = start;
    oldest = (oldest + 1) % perSecond;
  }

  return {
    tryTake() {
      const now = time.nowMs();
      if (possibleAt() > now) return false;
      claim(now);
      return true;
    },
    async take() {
      const now = time.nowMs();
      const start = Math.max(now, possibleAt());
      claim(start);
      if (start > now) await time.sleep(start - now);
    },
  };
}
