import { setTimeout as sleep } from 'node:timers/promises';

/** Telegram allows a bot so many calls a second; this spends them: at once if there is one left, or in turn. */
export interface CheckBudget {
  /** Takes one for this party (a publisher's bot) if there is one left for it right now. */
  tryTake(party: number): boolean;
  take(): Promise<void>;
}

interface Time {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

const machineTime: Time = { nowMs: () => performance.now(), sleep };

/** Whoever asked within this time is counted among those who share. */
const SHARING_MS = 60_000;
const MAX_PARTIES = 10_000;
/** No party of `tryTake` has this id: checks in turn are the service's own. */
const SERVICE = 0;

/**
 * In no stretch of one second do more than `perSecond` checks start; that many may start at once. Half of them are for
 * whoever comes first. The other half is shared evenly by the parties that asked within the last minute, so that a bot
 * that floods cannot use up the checks of all others.
 */
export function createCheckBudget(perSecond: number, time = machineTime): CheckBudget {
  const free = Math.floor(perSecond / 2);
  /** Who started each of them. */
  const parties = new Float64Array(perSecond).fill(SERVICE);
  const askedAt = new Map<number, number>();
  let countedAt = Number.NEGATIVE_INFINITY;
  /** When the last so many checks started, or will: a further one may start a second after the oldest of them. */
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

/** A budget for each bot of which Telegram counts the calls by itself; those used last are remembered. */
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
