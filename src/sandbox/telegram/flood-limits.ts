import type { Clock } from '../../core/clock.ts';

/** Telegram's published limits for one bot: calls per second in total, and messages per second in one chat. */
export const CALLS_A_SECOND = 30;
const MESSAGES_A_SECOND_IN_A_CHAT = 1;

const WINDOW_MS = 1_000;
/** The maximum number of bots and chats with a counter. Above it all counters are reset. */
const MOST_COUNTED = 10_000;
/** Polls and webhook settings do not count towards the limits. */
const UNCOUNTED: ReadonlySet<string> = new Set(['getupdates', 'setwebhook', 'deletewebhook', 'getwebhookinfo']);

export interface FloodLimits {
  /** Counts a call. Returns the seconds that the bot has to wait, or 0 when the call is allowed. */
  count(call: { readonly token: string; readonly method: string; readonly chatId: string | undefined }): number;
}

/** Counts the calls of this process; a refused call is not counted. */
export function createFloodLimits(clock: Clock): FloodLimits {
  const calls = new Map<string, number[]>();

  function recent(key: string, now: number): number[] {
    const within = (calls.get(key) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
    if (calls.size >= MOST_COUNTED) calls.clear();
    calls.set(key, within);
    return within;
  }

  return {
    count({ token, method, chatId }) {
      if (UNCOUNTED.has(method)) return 0;
      const now = clock.now().getTime();
      const counted = [{ made: recent(token, now), most: CALLS_A_SECOND }];
      if (chatId !== undefined && /^(?:send|edit|copy|forward)/.test(method)) {
        counted.push({ made: recent(`${token} ${chatId}`, now), most: MESSAGES_A_SECOND_IN_A_CHAT });
      }
      const full = counted.filter(({ made, most }) => made.length >= most);
      if (full.length === 0) for (const { made } of counted) made.push(now);
      const waitsMs = full.map(({ made, most }) => (made[made.length - most] ?? now) + WINDOW_MS - now);
      return Math.ceil(Math.max(0, ...waitsMs) / 1_000);
    },
  };
}
