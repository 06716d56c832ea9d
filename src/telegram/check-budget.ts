import { setTimeout as sleep } from 'node:timers/promises';

/** Spends the calls that Telegram allows a bot per second. */
export interface CheckBudget {
  /** Takes a call for this party (a publisher's bot) if one is left for it now. */
  tryTake(party: number): boolean;
  /** Waits for the next free call. */
  take(): Promise<void>;
}

/** A budget of which other processes may have a part. */
export interface DividedBudget extends CheckBudget {
  /** Sets how many calls per second this process may make, at most those of the whole budget. */
  setLimit(perSecond: number): void;
  /** Returns the calls wanted since the last call of this method, granted or not, and those that still wait. */
  countWanted(): number;
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
/** Waiting callers look at the limit again after this long. */
const LIMIT_CHANGES_MS = 100;

/**
 * At most `perSecond` checks start within any second. Those of requests may start at once. Half of them go to the first
 * callers. The parties of the last minute share the other half evenly, so that one busy bot cannot use up the checks of
 * all others. Background checks are spread over the second: a burst per second would reach Telegram together with the
 * next one when the network delays it, and exceed the limit.
 */
export function createCheckBudget(perSecond: number, time = machineTime): DividedBudget {
  let limit = perSecond;
  let wanted = 0;
  /** The party of each entry in `starts`. */
  const parties = new Float64Array(perSecond).fill(SERVICE);
  const askedAt = new Map<number, number>();
  let countedAt = Number.NEGATIVE_INFINITY;
  /** Start times of the last `perSecond` checks. */
  const starts = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  const waiting: (() => void)[] = [];
  let isServing = false;
  /** When the next background check starts if all of them keep their distance. */
  let nextInBackground = Number.NEGATIVE_INFINITY;

  /** The next check may start a second after the one that is `limit` checks before it. */
  const possibleAt = (): number =>
    limit === 0 ? Number.POSITIVE_INFINITY : (starts[(oldest + perSecond - limit) % perSecond] ?? 0) + 1000;

  /** Background checks may be ahead of their distance by a tenth of a second, so that a late timer costs no check. */
  const possibleInBackgroundAt = (): number =>
    Math.max(possibleAt(), nextInBackground - (Math.floor(limit / 10) * 1000) / Math.max(1, limit));

  function claimInBackground(now: number): void {
    claim(now, SERVICE);
    nextInBackground = Math.max(now, nextInBackground) + 1000 / Math.max(1, limit);
  }

  function claim(start: number, party: number): void {
    starts[oldest] = start;
    parties[oldest] = party;
    oldest = (oldest + 1) % perSecond;
  }

  function shareOf(party: number, now: number, free: number): number {
    askedAt.set(party, now);
    if (now - countedAt >= 1000 || askedAt.size > MAX_PARTIES) {
      for (const [other, at] of askedAt) if (now - at >= SHARING_MS) askedAt.delete(other);
      if (askedAt.size > MAX_PARTIES) askedAt.clear();
      countedAt = now;
    }
    return Math.max(1, Math.floor((limit - free) / Math.max(1, askedAt.size)));
  }

  /** Starts the waiting callers in order of arrival. They reserve no time ahead, because the limit can change. */
  async function serve(): Promise<void> {
    isServing = true;
    while (waiting.length > 0) {
      const now = time.nowMs();
      const pauseMs = possibleInBackgroundAt() - now;
      if (pauseMs > 0) {
        await time.sleep(Math.min(pauseMs, LIMIT_CHANGES_MS));
        continue;
      }
      claimInBackground(now);
      waiting.shift()?.();
    }
    isServing = false;
  }

  return {
    tryTake(party) {
      wanted += 1;
      const now = time.nowMs();
      const free = Math.floor(limit / 2);
      const share = shareOf(party, now, free);
      if (waiting.length > 0 || possibleAt() > now) return false;
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
      wanted += 1;
      const now = time.nowMs();
      if (waiting.length === 0 && possibleInBackgroundAt() <= now) return claimInBackground(now);
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      if (!isServing) void serve();
      return turn;
    },
    setLimit(share) {
      limit = Math.max(0, Math.min(perSecond, Math.floor(share)));
    },
    countWanted() {
      const since = wanted + waiting.length;
      wanted = 0;
      return since;
    },
  };
}

const MAX_BUDGETS = 1_000;

/** Returns a budget per bot, whose calls Telegram counts separately. Keeps those used last. */
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
