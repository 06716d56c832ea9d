import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../core/database.ts';
import type { Context } from './context.ts';
import { type Announce, createBell, stopwatch } from './events.ts';
import { isUnfinished, type PushedUpdate, pushUpdate, readConfirmed } from './updates-store.ts';

/** Long enough for a busy machine: callers read what the bot did as soon as this wait ends. */
const HANDLING_LIMIT_MS = 30_000;
const UNFINISHED_POLL_MS = 50;

/** Queues an update and, once the transaction commits, wakes whoever delivers it. */
export async function queueUpdate(
  tx: Transaction,
  announce: Announce,
  botIds: readonly number[],
  type: 'message' | 'callback_query' | 'chat_member' | 'my_chat_member' | 'chat_join_request',
  body: object,
): Promise<PushedUpdate[]> {
  if (botIds.length === 0) return [];
  const pushed = await pushUpdate(tx, botIds, type, body);
  for (const update of pushed) announce({ kind: update.hooked ? 'webhook' : 'queue', bot: update.botId });
  return pushed;
}

/**
 * Waits until the bots have dealt with these updates: a poller confirmed them with its next offset, a webhook answered
 * 2xx. Bots that nobody runs are not waited for, and a slow one is not waited for long.
 */
export async function untilHandled(context: Context, updates: readonly PushedUpdate[]): Promise<void> {
  const newest = new Map<number, number>();
  for (const update of updates) {
    if (update.consumed) newest.set(update.botId, Math.max(update.updateId, newest.get(update.botId) ?? 0));
  }
  await Promise.all([...newest].map(([botId, updateId]) => untilConfirmed(context, botId, updateId)));
}

async function untilConfirmed(context: Context, botId: number, updateId: number): Promise<void> {
  const left = stopwatch(HANDLING_LIMIT_MS);
  const bell = createBell();
  let confirmed = 0;
  const off = context.bus.on('confirmed', (event) => {
    if (event.bot !== botId) return;
    confirmed = Math.max(confirmed, event.id);
    if (confirmed >= updateId) bell.ring();
  });
  try {
    // Listening first and reading second: a confirmation in between is seen by one or the other.
    confirmed = Math.max(confirmed, await readConfirmed(context.db, botId));
    while (confirmed < updateId && left() > 0 && !context.closing.aborted) {
      await bell.wait(left(), context.closing);
    }
    // Our own bot confirms an update that takes long before it is handled, and keeps it until then.
    while (left() > 0 && !context.closing.aborted && (await isUnfinished(context.db, updateId))) {
      await sleep(UNFINISHED_POLL_MS, undefined, { signal: context.closing }).catch(() => undefined);
    }
  } finally {
    off();
  }
}
