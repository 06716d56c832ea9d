import { SECOND_MS } from '../../core/clock.ts';
import type { ResourceType } from '../orders/index.ts';

/**
 * How long a call waits before it asks Telegram about the same user again. Updates report who joins a channel, so the
 * check is only needed when one was lost. No update reports who starts a bot.
 */
const PAUSE_MS: Readonly<Record<ResourceType, number>> = { channel: 10_000, bot: 2_000 };
const MAX_USERS = 20_000;
const MAX_BOTS = 10_000;

/** Limits live checks of repeat callers: a bot calls on every message, and each check costs a call to Telegram. */
export interface CheckPauses {
  /** Returns whether one call may check tasks of a type. A permitted check starts the next pause. */
  open(botId: number, userId: number): (type: ResourceType) => boolean;
}

export interface PauseOptions {
  /**
   * How many calls of one bot may check in a second. Telegram's budget allows no more, so any further call would read
   * for nothing; the user's next call tries again.
   */
  readonly perSecond: number;
  readonly nowMs?: () => number;
}

export function createCheckPauses({ perSecond, nowMs = () => performance.now() }: PauseOptions): CheckPauses {
  const lastCheck = new Map<string, number>();
  const seconds = new Map<number, { startedAt: number; calls: number }>();

  /** Takes one of the bot's checking calls of this second. */
  function takeCall(botId: number, now: number): boolean {
    const second = seconds.get(botId);
    if (second !== undefined && now - second.startedAt < SECOND_MS) return ++second.calls <= perSecond;
    if (seconds.size >= MAX_BOTS) seconds.clear();
    seconds.set(botId, { startedAt: now, calls: 1 });
    return true;
  }

  return {
    open(botId, userId) {
      const now = nowMs();
      const taken: Partial<Record<ResourceType, boolean>> = {};
      let hasCall: boolean | undefined;

      function take(type: ResourceType): boolean {
        const key = `${type}:${botId}:${userId}`;
        const last = lastCheck.get(key);
        if (last !== undefined && now - last < PAUSE_MS[type]) return false;
        hasCall ??= takeCall(botId, now);
        if (!hasCall) return false;
        lastCheck.delete(key); // moves the user to the end, away from eviction
        const [oldest] = lastCheck.size < MAX_USERS ? [] : lastCheck.keys();
        if (oldest !== undefined) lastCheck.delete(oldest);
        lastCheck.set(key, now);
        return true;
      }

      return (type) => {
        taken[type] ??= take(type);
        return taken[type];
      };
    },
  };
}
