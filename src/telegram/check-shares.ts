import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutageLog } from '../core/outage-log.ts';
import { type CheckBudget, createCheckBudget, type DividedBudget } from './check-budget.ts';
import { readShare, type ShareRow, type ShareStore, SILENT_MS } from './share-store.ts';

/** The budgets of all bots. The processes of the service divide each of them (decision 0196). */
export interface SharedBudgets {
  /** Returns this process's part of the budget of a bot, by its Telegram id. */
  of(botId: number): CheckBudget;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Entry {
  readonly budget: DividedBudget;
  usedAt: number;
}

/** How often the processes agree. A decision about a check never waits for it. */
const AGREE_EVERY_MS = 1_000;
/** A bot without a check for this long leaves the agreement. */
const UNUSED_MS = 60_000;
const MAX_BUDGETS = 1_000;

/**
 * Divides the calls per second of each bot among the processes. Once a second a process reports how many calls it
 * wanted and receives its share, in one round trip for all bots. A process that is alone has the whole budget.
 */
export function createSharedBudgets({
  store,
  perSecond,
  managementBotId,
  log,
  agreeEveryMs = AGREE_EVERY_MS,
}: {
  readonly store: ShareStore;
  readonly perSecond: number;
  /** Every process takes part in the budget of this bot, so it tells how many processes there are. */
  readonly managementBotId: number;
  readonly log: { warn(details: object, message: string): void };
  readonly agreeEveryMs?: number;
}): SharedBudgets {
  const processId = randomUUID();
  const entries = new Map<number, Entry>();
  const outage = createOutageLog();
  const stopping = new AbortController();
  let processes = 1;
  let running: Promise<void> = Promise.resolve();
  let poke: () => void = () => undefined;

  function entryOf(botId: number): Entry {
    const known = entries.get(botId);
    if (known !== undefined) return known;
    const entry = { budget: createCheckBudget(perSecond), usedAt: performance.now() };
    // Until the next agreement the others may have the whole budget.
    if (processes > 1) entry.budget.setLimit(leastShare(perSecond, processes));
    entries.set(botId, entry);
    if (processes > 1) poke();
    for (const [oldest] of entries) {
      if (entries.size <= MAX_BUDGETS) break;
      if (oldest !== managementBotId) entries.delete(oldest);
    }
    return entry;
  }

  async function agree(): Promise<void> {
    const now = performance.now();
    for (const [botId, { usedAt }] of entries) {
      if (botId !== managementBotId && now - usedAt > UNUSED_MS) entries.delete(botId);
    }
    const wanted = new Map(
      [...entries].map(([botId, { budget }]) => [botId, Math.min(perSecond, budget.countWanted())]),
    );
    try {
      const shares = await store.exchange(processId, [...wanted.keys()], (botId, rows, nowMs) =>
        agreeOn({ perSecond, wanted: wanted.get(botId) ?? 0, processId, rows, nowMs }),
      );
      for (const [botId, { share, others }] of shares) {
        entries.get(botId)?.budget.setLimit(share);
        if (botId === managementBotId) processes = others + 1;
      }
      outage.recovered(() => log.warn({}, 'processes divide the budgets of checks again'));
    } catch (err) {
      // Every process keeps its last share, so together they stay within the budget.
      outage.failed((failures) =>
        log.warn({ err, failures }, 'budgets of checks not divided; shares stay as they are'),
      );
    }
  }

  async function agreeUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { promise: poked, resolve } = Promise.withResolvers<void>();
      poke = resolve;
      const pause = new AbortController();
      const signal = AbortSignal.any([pause.signal, stopping.signal]);
      await Promise.race([sleep(agreeEveryMs, undefined, { signal }).catch(() => undefined), poked]);
      pause.abort();
      if (!stopping.signal.aborted) await agree();
    }
  }

  return {
    of(botId) {
      const entry = entryOf(botId);
      entry.usedAt = performance.now();
      return entry.budget;
    },
    async start() {
      entryOf(managementBotId);
      await agree();
      running = agreeUntilStopped();
    },
    async stop() {
      stopping.abort();
      await running;
      // The others need not wait until the share lapses.
      await store.leave(processId, [...entries.keys()]).catch(() => undefined);
    },
  };
}

/** For how long a reduced share still counts: its calls are within the last second, and the reply may be late. */
const HELD_MS = 1_250;

/** The share that every process has, whatever the others want: a fifth of the budget, divided among all. */
export const leastShare = (perSecond: number, processes: number): number =>
  Math.max(1, Math.floor(perSecond / 5 / processes));

/**
 * Returns the new row of a process. The shares follow what the processes want. A share grows only by what no other
 * process has had in the last second, so no second has more calls than the budget. Only the least share of a process
 * that has just started can come on top, for a moment.
 */
export function agreeOn({
  perSecond,
  wanted,
  processId,
  rows,
  nowMs,
}: {
  readonly perSecond: number;
  readonly wanted: number;
  readonly processId: string;
  readonly rows: readonly ShareRow[];
  readonly nowMs: number;
}): ShareRow {
  const alive = rows.filter(({ seenAtMs }) => nowMs - seenAtMs < SILENT_MS);
  const others = alive.filter((row) => row.processId !== processId);
  const mine = alive.find((row) => row.processId === processId);
  const taken = others.reduce((sum, row) => sum + readShare(row, nowMs), 0);
  const processes = others.length + 1;
  const least = leastShare(perSecond, processes);
  // One more than wanted, so that processes without work divide the budget evenly.
  const weight = (of: number): number => Math.min(perSecond, of) + 1;
  const all = others.reduce((sum, row) => sum + weight(row.wanted), weight(wanted));
  const spare = Math.max(0, perSecond - processes * least);
  const target = Math.min(perSecond, Math.ceil(least + (spare * weight(wanted)) / all));
  const free = Math.max(0, perSecond - taken);
  const before = mine?.share ?? 0;
  // A small difference is not worth a change: each reduction leaves calls unused for a moment.
  const isClose = mine !== undefined && before <= free && Math.abs(target - before) <= Math.ceil(perSecond / 20);
  const share = isClose ? before : Math.max(least, Math.min(target, free));
  const counted = mine === undefined ? 0 : readShare(mine, nowMs);
  return {
    processId,
    wanted,
    share,
    held: Math.max(counted, share),
    heldUntilMs: share < before ? nowMs + HELD_MS : (mine?.heldUntilMs ?? nowMs),
    seenAtMs: nowMs,
  };
}
