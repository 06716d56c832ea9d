import type { Clock } from '../core/clock.ts';

/** Telegram's flood control counts calls by bot, method and chat. */
export interface CallSubject {
  /** The bot and the method. */
  readonly caller: string;
  readonly chatId: number;
}

/** A wait that one process received and the others obey too. */
export interface ToldWait {
  readonly caller: string;
  /** Null: the wait is for every call of the caller. */
  readonly chatId: number | null;
  readonly leftMs: number;
}

/** The flood waits of all calls of this process, and those that other processes told it. */
export interface FloodWaits {
  /** Returns for how long such a call must wait; 0 when it may be made now. */
  leftMs(subject: CallSubject): number;
  /** Telegram returned 429. */
  refused(subject: CallSubject, retryAfterSeconds: number): void;
  /** Telegram returned anything else. */
  answered(subject: CallSubject): void;
  /** Another process received a wait. */
  heard(wait: ToldWait): void;
  current(): { readonly chats: number; readonly callers: number };
  forgetAll(): void;
}

interface Wait {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** After this many refused chats in a row the wait is taken to be for the whole bot. */
export const CHATS_IN_A_ROW = 5;
/** Limits a wait that we inferred, because the inference may be wrong. */
export const LONGEST_CONCLUSION_MS = 30_000;
/** Longer waits are cut to this, so that an absurd number does not block a chat for ever. */
export const LONGEST_WAIT_MS = 3_600_000;
/** Most chats and callers kept; the oldest is dropped and learns its wait from the next 429. */
const MAX_ENTRIES = 10_000;

/**
 * A 429 does not say whether the wait is for the chat or for the whole bot. It counts for the chat until
 * `CHATS_IN_A_ROW` different chats were refused with no other reply in between.
 */
export function createFloodWaits(
  clock: Clock,
  { most = MAX_ENTRIES, tell }: { readonly most?: number; readonly tell?: (wait: ToldWait) => void } = {},
): FloodWaits {
  const ofChats = new Map<string, Wait>();
  const ofCallers = new Map<string, Wait>();
  /** By caller: the chats refused since the last other reply. */
  const refusals = new Map<string, Map<number, Wait>>();

  const nowMs = (): number => clock.now().getTime();

  function leftOf(waits: Map<string, Wait>, key: string, now: number): number {
    const wait = waits.get(key);
    if (wait === undefined) return 0;
    if (isOver(wait, now)) waits.delete(key);
    return isOver(wait, now) ? 0 : wait.untilMs - now;
  }

  function store<T>(map: Map<string, T>, key: string, value: T): void {
    // Re-inserts the key, so that the map's order is the order of the last change.
    map.delete(key);
    map.set(key, value);
    for (const oldest of map.keys()) {
      if (map.size <= most) break;
      map.delete(oldest);
    }
  }

  /** Keeps the longer wait: replies to concurrent calls arrive in any order. */
  function lengthen(waits: Map<string, Wait>, key: string, wait: Wait): void {
    const before = waits.get(key);
    const isLonger = before === undefined || isOver(before, wait.fromMs) || before.untilMs < wait.untilMs;
    store(waits, key, isLonger ? wait : before);
  }

  function inferCallerWait({ caller, chatId }: CallSubject, wait: Wait): void {
    const now = wait.fromMs;
    const row = new Map([...(refusals.get(caller) ?? [])].filter(([, earlier]) => !isOver(earlier, now)));
    row.set(chatId, wait);
    if (row.size < CHATS_IN_A_ROW) {
      store(refusals, caller, row);
      return;
    }
    refusals.delete(caller);
    // The shortest wait: a chat with a longer one keeps its own.
    const untilMs = Math.min(now + LONGEST_CONCLUSION_MS, ...[...row.values()].map((each) => each.untilMs));
    lengthen(ofCallers, caller, { fromMs: now, untilMs });
    tell?.({ caller, chatId: null, leftMs: untilMs - now });
  }

  return {
    leftMs(subject) {
      if (ofChats.size === 0 && ofCallers.size === 0) return 0;
      const now = nowMs();
      return Math.max(leftOf(ofChats, keyOf(subject), now), leftOf(ofCallers, subject.caller, now));
    },
    refused(subject, retryAfterSeconds) {
      const fromMs = nowMs();
      const wait = { fromMs, untilMs: fromMs + waitMsOf(retryAfterSeconds) };
      lengthen(ofChats, keyOf(subject), wait);
      tell?.({ ...subject, leftMs: wait.untilMs - fromMs });
      inferCallerWait(subject, wait);
    },
    heard({ caller, chatId, leftMs }) {
      const fromMs = nowMs();
      const wait = { fromMs, untilMs: fromMs + Math.min(leftMs, LONGEST_WAIT_MS) };
      // Only the process that made the calls concludes from them: it also knows the replies in between.
      if (chatId === null) lengthen(ofCallers, caller, wait);
      else lengthen(ofChats, keyOf({ caller, chatId }), wait);
    },
    answered({ caller }) {
      refusals.delete(caller);
    },
    current() {
      const now = nowMs();
      const lasting = (waits: Map<string, Wait>): number =>
        [...waits.values()].filter((wait) => !isOver(wait, now)).length;
      return { chats: lasting(ofChats), callers: lasting(ofCallers) };
    },
    forgetAll() {
      for (const map of [ofChats, ofCallers, refusals]) map.clear();
    },
  };
}

const keyOf = ({ caller, chatId }: CallSubject): string => `${caller} ${chatId}`;

/** A clock set back before the start also ends a wait; otherwise it would last as long as the correction. */
const isOver = ({ fromMs, untilMs }: Wait, now: number): boolean => now >= untilMs || now < fromMs;

function waitMsOf(seconds: number): number {
  // Telegram's value is not validated before; an invalid one counts as one second.
  const given = Number.isFinite(seconds) && seconds >= 0 ? seconds : 1;
  return Math.min(given * 1000, LONGEST_WAIT_MS);
}
