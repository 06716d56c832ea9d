import { setTimeout as sleep } from 'node:timers/promises';

/** Spends the calls that Telegram allows a bot per second. */
export interface CheckBudget {
  /** Takes a call for this party (a publisher's bot) if one is left for it now. */
  tryTake(party: number): boolean;
  /** Waits for the next free call. */
  take(): Promise<void>;
}

interface Time {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

const machineTime: Time = { nowMs: () => performance.now(), sleep };

/** A party shares the budget for this long after its last request. */
const SHARING_MS = 60_000;
const MAX_PARTIES = 10_000;
/** The party of `take`: background checks belong to the service itself. */
const SERVICE = 0;

/**
 * At most `perSecond` checks start within any second; all of them may start at once. Half of them go to the first
 * callers. The parties of the last minute share the other half evenly, so that one busy bot cannot use up the checks of
 * all others.
 */
export function createCheckBudget(perSecond: number, time = machineTime): CheckBudget {
  const free = Math.floor(perSecond / 2);
  /** The party of each entry in `starts`. */
  const parties = new Float64Array(perSecond).fill(SERVICE);
  const askedAt = new Map<number, number>();
  let countedAt = Number.NEGATIVE_INFINITY;
  /** Start times of the last `perSecond` checks. The next may start a second after the oldest. */
  const starts = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;

  const possibleAt = (): number => (starts[oldest] ?? 0) + 1000;

  function claim(start: number, party: number): void {
    starts[oldest] = start;
    parties[oldest] = party;
    oldest = (oldest + 1) % perSecond;
  }

  function shareOf(party: number, now: number): number {
    askedAt.set(party, now);
    if (now - countedAt >= 1000 || askedAt.size > MAX_PARTIES) {
      for (const [other, at] of askedAt) if (now - at >= SHARING_MS) askedAt.delete(other);
      if (askedAt.size > MAX_PARTIES) askedAt.clear();
      countedAt = now;
    }
    return Math.max(1, Math.floor((perSecond - free) / Math.max(1, askedAt.size)));
  }

  return {
    tryTake(party) {
      const now = time.nowMs();
      const share = shareOf(party, now);
      if (possibleAt() > now) return false;
      let all = 0;
      let own = 0;
      for (let i = 0; i < perSecond; i++) {
        if ((starts[i] ?? 0) <= now - 1000) continue;
        all += 1;
        if (parties[i] === party) own += 1;
      }
      if (all >= free && own >= share) return false;
      claim(now, party);
      return true;
    },
    async take() {
      const now = time.nowMs();
      const start = Math.max(now, possibleAt());
      claim(start, SERVICE);
      if (start > now) await time.sleep(start - now);
    },
  };
}

const MAX_BUDGETS = 1_000;

/** Returns the budget of each advertiser's bot, whose calls Telegram counts separately. Keeps those used last. */
export function createBudgetPerBot(perSecond: number): (botId: number) => CheckBudget {
  const budgets = new Map<number, CheckBudget>();
  return (botId) => {
    const budget = budgets.get(botId) ?? createCheckBudget(perSecond);
    budgets.delete(botId);
    budgets.set(botId, budget);
    for (const oldest of budgets.keys()) {
      if (budgets.size <= MAX_BUDGETS) break;
      budgets.delete(oldest);
    }
    return budget;
  };
}
