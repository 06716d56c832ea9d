import type { Clock } from '../core/clock.ts';

/** What a call is about, as far as Telegram's flood control goes: who asks, by which method, in which chat. */
export interface CallSubject {
  /** The bot and the method. */
  readonly caller: string;
  readonly chatId: number;
}

/** The flood waits that Telegram has told this process of, for all of its requests. */
export interface FloodWaits {
  /** For how long no such call may be made; 0 when one may be made now. */
  leftMs(subject: CallSubject): number;
  /** Telegram answered 429. */
  refused(subject: CallSubject, retryAfterSeconds: number): void;
  /** Telegram answered anything else. */
  answered(subject: CallSubject): void;
  current(): { readonly chats: number; readonly callers: number };
  forgetAll(): void;
}

interface Wait {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** So many chats refused one after the other, without an answer in between, and it is the bot that is meant. */
export const CHATS_IN_A_ROW = 5;
/** What is concluded and not told lasts no longer than this, so that a wrong conclusion does not either. */
export const LONGEST_CONCLUSION_MS = 30_000;
/** A longer wait is asked about once an hour: a number that nobody meant must not close a chat for ever. */
export const LONGEST_WAIT_MS = 3_600_000;
/** Chats, and callers, that are remembered; beyond it the one told of first is forgotten and meets its next 429. */
const MOST_REMEMBERED = 10_000;

/**
 * An answer 429 names no culprit: the wait may be for the chat or for the whole bot. It is taken for the chat's until
 * `CHATS_IN_A_ROW` different chats were refused with nothing but refusals in between.
 */
export function createFloodWaits(clock: Clock, most = MOST_REMEMBERED): FloodWaits {
  const ofChats = new Map<string, Wait>();
  const ofCallers = new Map<string, Wait>();
  /** By caller: the chats that were refused since Telegram last answered it. */
  const refusals = new Map<string, Map<number, Wait>>();

  const nowMs = (): number => clock.now().getTime();

  function leftOf(waits: Map<string, Wait>, key: string, now: number): number {
    const wait = waits.get(key);
    if (wait === undefined) return 0;
    if (isOver(wait, now)) waits.delete(key);
    return isOver(wait, now) ? 0 : wait.untilMs - now;
  }

  function remember<T>(map: Map<string, T>, key: string, value: T): void {
    // Again at the end: the map's order is the order in which it was told.
    map.delete(key);
    map.set(key, value);
    for (const oldest of map.keys()) {
      if (map.size <= most) break;
      map.delete(oldest);
    }
  }

  /** The longer one counts: answers to calls under way at the same time come in any order. */
  function lengthen(waits: Map<string, Wait>, key: string, wait: Wait): void {
    const before = waits.get(key);
    const isLonger = before === undefined || isOver(before, wait.fromMs) || before.untilMs < wait.untilMs;
    remember(waits, key, isLonger ? wait : before);
  }

  function concludeFrom({ caller, chatId }: CallSubject, wait: Wait): void {
    const now = wait.fromMs;
    const row = new Map([...(refusals.get(caller) ?? [])].filter(([, earlier]) => !isOver(earlier, now)));
    row.set(chatId, wait);
    if (row.size < CHATS_IN_A_ROW) {
      remember(refusals, caller, row);
      return;
    }
    refusals.delete(caller);
    // The shortest: a chat with a longer one keeps it anyway.
    const untilMs = Math.min(now + LONGEST_CONCLUSION_MS, ...[...row.values()].map((each) => each.untilMs));
    lengthen(ofCallers, caller, { fromMs: now, untilMs });
  }

  return {
    leftMs(subject) {
      if (ofChats.size === 0 && ofCallers.size === 0) return 0; // as nearly always
      const now = nowMs();
      return Math.max(leftOf(ofChats, keyOf(subject), now), leftOf(ofCallers, subject.caller, now));
    },
    refused(subject, retryAfterSeconds) {
      const fromMs = nowMs();
      const wait = { fromMs, untilMs: fromMs + waitMsOf(retryAfterSeconds) };
      lengthen(ofChats, keyOf(subject), wait);
      concludeFrom(subject, wait);
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

/** A clock set back behind the beginning ends a wait as well: otherwise it would last as long as the correction. */
const isOver = ({ fromMs, untilMs }: Wait, now: number): boolean => now >= untilMs || now < fromMs;

function waitMsOf(seconds: number): number {
  // Whatever Telegram sends arrives here; what is no number of seconds counts as one.
  const given = Number.isFinite(seconds) && seconds >= 0 ? seconds : 1;
  return Math.min(given * 1000, LONGEST_WAIT_MS);
}
