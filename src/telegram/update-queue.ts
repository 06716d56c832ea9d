import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { DatabaseUnavailable, type Queryable } from '../core/database.ts';
import { waitAtMost } from '../core/wait-at-most.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { forgetUnfinished, keepUnfinished, readUnfinished } from './unfinished-updates-store.ts';

/** An update that takes longer is stored in the database and acknowledged. The sandbox waits as long for an update. */
const KEEP_AFTER_MS = 5_000;
/** With more unfinished updates than this, polling waits. */
const MAX_UNFINISHED = 500;
const DATABASE_RETRY_MS = 500;

/** Updates that were polled and are not acknowledged yet. */
interface UpdateQueue {
  /** Resumes the updates that a killed process left unfinished. */
  resume(): Promise<void>;
  /** Starts handling the new updates. */
  add(updates: readonly Update[]): void;
  /** Returns the next offset to poll: the first update that may not be acknowledged yet. */
  offset(): number;
  /** Waits for at most `ms` until all updates are handled; longer only when too many are unfinished. */
  settle(ms: number): Promise<void>;
  /** Resolves when no update is being handled. */
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
  keepDialoguesAfterMs = KEEP_AFTER_MS,
  receivedBy = null,
  sequencer = createSequencer(),
}: {
  bot: Bot;
  db: Queryable;
  log: UpdatesLog;
  signal: AbortSignal;
  /** Most updates that Telegram returns from the offset on. */
  windowSize: number;
  /** The same limit for updates that wait for calls to Telegram: those of people who talk to the bot. */
  keepDialoguesAfterMs?: number;
  /** The checker bot that received the updates; null: the management bot. */
  receivedBy?: number | null;
  /** Shared by the queues of several bots: a person and a chat can appear in the updates of each. */
  sequencer?: Sequencer;
}): UpdateQueue {
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
      // Fails only when the process stops: the update stays unacknowledged or stored.
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
    // A row that could not be deleted is handled again after a restart, like a repeated delivery.
    if (wasKept) await forgetUnfinished(db, entry.update.update_id, receivedBy).catch(() => undefined);
  }

  /** Stores slow updates, so that later ones can be polled. Until this succeeds they stay unacknowledged. */
  async function keepSlow(): Promise<void> {
    const first = firstOpen();
    if (first === undefined) return;
    const isWindowFull = [...entries.keys()].filter((id) => id >= first).length >= windowSize;
    const now = performance.now();
    const limitOf = (update: Update): number =>
      dialoguePersonIn(update) === undefined ? KEEP_AFTER_MS : keepDialoguesAfterMs;
    const slow = inState('open').filter(({ since, update }) => isWindowFull || now - since >= limitOf(update));
    if (slow.length === 0) return;
    try {
      await keepUnfinished(
        db,
        slow.map(({ update }) => update),
        receivedBy,
      );
    } catch (err) {
      log.warn({ err }, 'slow updates not stored');
      return;
    }
    for (const entry of slow) {
      // Finished while the row was being written, so its row must be deleted here.
      if (entry.state === 'done') await forgetUnfinished(db, entry.update.update_id, receivedBy).catch(() => undefined);
      else entry.state = 'kept';
    }
  }

  return {
    async resume() {
      for (const update of await readUnfinished(db, receivedBy)) start(update, 'kept');
    },
    add(updates) {
      for (const update of updates) if (!entries.has(update.update_id)) start(update, 'open');
      const last = updates.at(-1);
      if (last !== undefined) next = last.update_id + 1;
    },
    offset() {
      const offset = firstOpen() ?? next;
      // Telegram does not send acknowledged updates again. Stored ones stay here until they are handled.
      for (const [id, { state }] of entries) if (state === 'done' && id < offset) entries.delete(id);
      return offset;
    },
    async settle(ms) {
      const started = performance.now();
      const wait = (limitMs: number): Promise<unknown> =>
        waitAtMost(limitMs, Promise.all(inState('open').map(({ work }) => work)), signal);
      // Once slow dialogues are stored, the next poll can wait for new updates instead of asking again and again.
      await wait(Math.min(ms, keepDialoguesAfterMs + 1));
      await keepSlow();
      if (inState('open').length > 0) {
        await wait(Math.max(0, ms - (performance.now() - started)));
        await keepSlow();
      }
      while (unfinished().length > MAX_UNFINISHED && !signal.aborted) {
        await Promise.race(unfinished().map(({ work }) => work));
      }
    },
    async stopped() {
      await Promise.all(unfinished().map(({ work }) => work));
    },
  };
}

/**
 * Updates with a common key are handled in order: those of a person who talks to the bot, and those of a chat, where a
 * leave must not overtake a join.
 */
export function keysOf(update: Update): string[] {
  const { message, callback_query: press, my_chat_member: access } = update;
  const chat = message?.chat ?? update.chat_member?.chat ?? access?.chat ?? update.chat_join_request?.chat;
  const person = dialoguePersonIn(update);
  return [
    ...(person === undefined ? [] : [`person ${person}`]),
    ...(chat === undefined || chat.type === 'private' || press !== undefined ? [] : [`chat ${chat.id}`]),
  ];
}

/**
 * Returns the person whose dialogue with the bot the update continues. Messages in groups continue none: an
 * administrator bot receives all of them, and they must stay cheap.
 */
export function dialoguePersonIn({
  message,
  callback_query: press,
  my_chat_member: access,
}: Update): number | undefined {
  if (message !== undefined) return message.chat.type === 'private' ? message.from?.id : undefined;
  return press?.from.id ?? access?.from.id;
}

/** Runs work with a common key in the order of arrival, and all other work concurrently. */
export interface Sequencer {
  run(keys: readonly string[], work: () => Promise<void>): Promise<void>;
}

export function createSequencer(): Sequencer {
  /** By key: resolves when the last work with the key is done. Never rejects. */
  const tails = new Map<string, Promise<void>>();
  return {
    run(keys, work) {
      const earlier = keys.map((key) => tails.get(key) ?? Promise.resolve());
      const result = Promise.all(earlier).then(work);
      const done = result.catch(() => undefined);
      for (const key of keys) tails.set(key, done);
      void done.then(() => {
        for (const key of keys) if (tails.get(key) === done) tails.delete(key);
      });
      return result;
    },
  };
}
