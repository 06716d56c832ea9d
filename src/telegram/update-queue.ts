import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { DatabaseUnavailable, type Queryable } from '../core/database.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { createSequencer } from './sequencer.ts';
import { forgetUnfinished, keepUnfinished, readUnfinished } from './unfinished-updates-store.ts';

/** An update that takes longer is kept in the database and acknowledged. */
const KEEP_AFTER_MS = 5_000;
/** More than this many under way, and no more are fetched until some are done. */
const MAX_UNFINISHED = 500;
const DATABASE_RETRY_MS = 500;

/** The updates that were fetched and are not acknowledged yet. */
export interface UpdateQueue {
  /** Takes up what a process that died left behind. */
  resume(): Promise<void>;
  /** Starts to handle the updates that are new. */
  add(updates: readonly Update[]): void;
  /** What to ask for next: the first update that may not be acknowledged yet. */
  offset(): number;
  /** Waits until all is handled, for so long at most; longer only when there is too much under way. */
  settle(ms: number): Promise<void>;
  /** Resolves when nothing is being handled any more. */
  stopped(): Promise<void>;
}

interface Entry {
  readonly update: Update;
  readonly since: number;
  state: 'open' | 'kept' | 'done';
  work: Promise<void>;
}

export function createUpdateQueue({
  bot,
  db,
  log,
  signal,
  windowSize,
}: {
  bot: Bot;
  db: Queryable;
  log: UpdatesLog;
  signal: AbortSignal;
  /** How many updates Telegram shows at most from the offset on. */
  windowSize: number;
}): UpdateQueue {
  const sequencer = createSequencer();
  const entries = new Map<number, Entry>();
  let next = 0;

  const inState = (...states: Entry['state'][]): Entry[] =>
    [...entries.values()].filter(({ state }) => states.includes(state));
  const unfinished = (): Entry[] => inState('open', 'kept');
  /** The first update that may not be acknowledged. */
  const firstOpen = (): number | undefined =>
    inState('open').reduce<number | undefined>(
      (first, { update: { update_id: id } }) => Math.min(first ?? id, id),
      undefined,
    );

  function start(update: Update, state: 'open' | 'kept'): void {
    const entry: Entry = { update, since: performance.now(), state, work: Promise.resolve() };
    entries.set(update.update_id, entry);
    entry.work = sequencer
      .run(keysOf(update), () => handleWhenPossible(update))
      .then(() => finish(entry))
      // Only when the process stops: the update stays unacknowledged, or kept.
      .catch(() => undefined);
  }

  async function handleWhenPossible(update: Update): Promise<void> {
    for (;;) {
      try {
        return await handleUpdate(bot, update, log, signal);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await sleep(DATABASE_RETRY_MS, undefined, { signal });
      }
    }
  }

  async function finish(entry: Entry): Promise<void> {
    const wasKept = entry.state === 'kept';
    entry.state = 'done';
    // A row that could not be deleted is handled once more after a restart, as a repeated delivery is.
    if (wasKept) await forgetUnfinished(db, entry.update.update_id).catch(() => undefined);
  }

  /** Makes room for updates behind those that take long. Until it works they are just not acknowledged. */
  async function keepSlow(): Promise<void> {
    const first = firstOpen();
    if (first === undefined) return;
    const isWindowFull = [...entries.keys()].filter((id) => id >= first).length >= windowSize;
    const now = performance.now();
    const slow = inState('open').filter(({ since }) => isWindowFull || now - since >= KEEP_AFTER_MS);
    if (slow.length === 0) return;
    try {
      await keepUnfinished(
        db,
        slow.map(({ update }) => update),
      );
    } catch (err) {
      log.warn({ err }, 'updates under way could not be kept');
      return;
    }
    for (const entry of slow) {
      // Handled while the row was being written: nobody else deletes it.
      if (entry.state === 'done') await forgetUnfinished(db, entry.update.update_id).catch(() => undefined);
      else entry.state = 'kept';
    }
  }

  return {
    async resume() {
      for (const update of await readUnfinished(db)) start(update, 'kept');
    },
    add(updates) {
      for (const update of updates) if (!entries.has(update.update_id)) start(update, 'open');
      const last = updates.at(-1);
      if (last !== undefined) next = last.update_id + 1;
    },
    offset() {
      const offset = firstOpen() ?? next;
      // What is acknowledged does not come again. What is kept stays here until it is handled.
      for (const [id, { state }] of entries) if (state === 'done' && id < offset) entries.delete(id);
      return offset;
    },
    async settle(ms) {
      await atMost(ms, Promise.all(inState('open').map(({ work }) => work)), signal);
      await keepSlow();
      while (unfinished().length > MAX_UNFINISHED && !signal.aborted) {
        await Promise.race(unfinished().map(({ work }) => work));
      }
    },
    async stopped() {
      await Promise.all(unfinished().map(({ work }) => work));
    },
  };
}

async function atMost(ms: number, work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const limit = sleep(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined);
  await Promise.race([work, limit]);
  over.abort();
}

/**
 * Updates with a common key are handled in their order: those of a person, who talks to the bot, and those of a chat, where
 * a leaving must not overtake a joining.
 */
export function keysOf(update: Update): string[] {
  const { message, callback_query: press, my_chat_member: access } = update;
  const chat = message?.chat ?? update.chat_member?.chat ?? access?.chat ?? update.chat_join_request?.chat;
  const person = talkerIn(update);
  return [
    ...(person === undefined ? [] : [`person ${person}`]),
    ...(chat === undefined || chat.type === 'private' || press !== undefined ? [] : [`chat ${chat.id}`]),
  ];
}

/**
 * Whose dialogue with our bot the update goes on with, if it is anybody's. What is said in groups is not: where our bot is an
 * administrator it hears everything, and that must stay cheap.
 */
export function talkerIn({ message, callback_query: press, my_chat_member: access }: Update): number | undefined {
  if (message !== undefined) return message.chat.type === 'private' ? message.from?.id : undefined;
  return press?.from.id ?? access?.from.id;
}
