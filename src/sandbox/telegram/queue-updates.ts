import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../core/database.ts';
import type { Context } from './context.ts';
import { type Announce, createWakeSignal, startCountdown } from './events.ts';
import { isUnfinished, type PushedUpdate, pushUpdate, readConfirmed } from './updates-store.ts';

/** Long enough for a busy machine: callers read the bot's reply as soon as this wait ends. */
const HANDLING_LIMIT_MS = 30_000;
const UNFINISHED_POLL_MS = 50;

/** Queues an update. The commit wakes the poll or the webhook sender that delivers it. */
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
 * Waits until the bots have handled these updates: a poller confirmed them with its next offset, or a webhook returned
 * 2xx. Does not wait for bots that do not run, and waits a limited time for slow ones.
 */
export async function untilHandled(context: Context, updates: readonly PushedUpdate[]): Promise<void> {
  const newest = new Map<number, number>();
  for (const update of updates) {
    if (update.consumed) newest.set(update.botId, Math.max(update.updateId, newest.get(update.botId) ?? 0));
  }
  await Promise.all([...newest].map(([botId, updateId]) => untilConfirmed(context, botId, updateId)));
}

async function untilConfirmed(context: Context, botId: number, updateId: number): Promise<void> {
  const left = startCountdown(HANDLING_LIMIT_MS);
  const wakeSignal = createWakeSignal();
  let confirmed = 0;
  const off = context.bus.on('confirmed', (event) => {
    if (event.bot !== botId) return;
    confirmed = Math.max(confirmed, event.id);
    if (confirmed >= updateId) wakeSignal.wake();
  });
  try {
    // The listener starts before the read, so a confirmation in between is not missed.
    confirmed = Math.max(confirmed, await readConfirmed(context.db, botId));
    while (confirmed < updateId && left() > 0 && !context.closing.aborted) {
      await wakeSignal.wait(left(), context.closing);
    }
    // The management bot confirms a slow update early and keeps it in unfinished_updates until it is handled.
    while (left() > 0 && !context.closing.aborted && (await isUnfinished(context.db, updateId))) {
      await sleep(UNFINISHED_POLL_MS, undefined, { signal: context.closing }).catch(() => undefined);
    }
  } finally {
    off();
  }
}
