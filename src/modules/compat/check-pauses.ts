import type { ResourceType } from '../orders/index.ts';

/**
 * How long a call waits before it asks Telegram about the same user again. Updates report who joins a channel, so the
 * check is only needed when one was lost. No update reports who starts a bot.
 */
const PAUSE_MS: Readonly<Record<ResourceType, number>> = { channel: 10_000, bot: 2_000 };
const MAX_USERS = 20_000;

/** Limits live checks of repeat callers: a bot calls on every message, and each check costs a call to Telegram. */
export interface CheckPauses {
  /** Returns whether one call may check tasks of a type. A permitted check starts the next pause. */
  open(botId: number, userId: number): (type: ResourceType) => boolean;
}

export function createCheckPauses(nowMs: () => number = () => performance.now()): CheckPauses {
  const lastCheck = new Map<string, number>();

  function take(key: string, pauseMs: number): boolean {
    const now = nowMs();
    const last = lastCheck.get(key);
    if (last !== undefined && now - last < pauseMs) return false;
    lastCheck.delete(key); // moves the user to the end, away from eviction
    const [oldest] = lastCheck.size < MAX_USERS ? [] : lastCheck.keys();
    if (oldest !== undefined) lastCheck.delete(oldest);
    lastCheck.set(key, now);
    return true;
  }

  return {
    open(botId, userId) {
      const taken: Partial<Record<ResourceType, boolean>> = {};
      return (type) => {
        taken[type] ??= take(`${type}:${botId}:${userId}`, PAUSE_MS[type]);
        return taken[type];
      };
    },
  };
}
