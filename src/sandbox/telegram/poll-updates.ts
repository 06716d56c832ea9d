import { randomUUID } from 'node:crypto';
import { BotApiError } from './api/errors.ts';
import type { Bot, Context } from './context.ts';
import { createWakeSignal, startCountdown } from './events.ts';
import { beginPoll, confirmUpdates, endPoll, readQueue } from './updates-store.ts';

export interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly allowedUpdates: readonly string[] | undefined;
}

/** Reads the queue this often without a wake-up: a notification can be lost with its connection. */
const RECHECK_MS = 5_000;

const WEBHOOK_IS_SET =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const REPLACED = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

/** One getUpdates call: confirms the updates below the offset, then waits for new ones. */
export async function pollUpdates(
  context: Context,
  bot: Bot,
  request: PollRequest,
  disconnected: AbortSignal,
): Promise<object[]> {
  const pollId = randomUUID();
  await context.bus.transact(async (tx, announce) => {
    const poll = { botId: bot.id, pollId, ...request };
    const begun = await beginPoll(tx, poll);
    if (!begun) throw new BotApiError(401, 'Unauthorized');
    if (begun.hooked) throw new BotApiError(409, WEBHOOK_IS_SET);
    if (begun.replaced) announce({ kind: 'queue', bot: bot.id });
    if (request.offset !== 0) {
      const confirmed = await confirmUpdates(tx, bot.id, request.offset);
      if (confirmed !== undefined) announce({ kind: 'confirmed', bot: bot.id, id: confirmed });
    }
  });
  let answered = false;
  try {
    const updates = await waitForUpdates(context, bot.id, pollId, request, disconnected);
    answered = !disconnected.aborted;
    return updates;
  } finally {
    await endPoll(context.db, bot.id, pollId, answered);
  }
}

async function waitForUpdates(
  context: Context,
  botId: number,
  pollId: string,
  request: PollRequest,
  disconnected: AbortSignal,
): Promise<object[]> {
  const left = startCountdown(request.timeoutSeconds * 1_000);
  const stop = AbortSignal.any([disconnected, context.closing]);
  const wakeSignal = createWakeSignal();
  const off = context.bus.on('queue', (event) => {
    if (event.bot === botId) wakeSignal.wake();
  });
  try {
    for (;;) {
      const queue = await readQueue(context.db, botId, request.limit);
      if (!queue) throw new BotApiError(401, 'Unauthorized');
      if (queue.hooked) throw new BotApiError(409, 'Conflict: terminated by setWebhook request');
      if (queue.pollId !== pollId) throw new BotApiError(409, REPLACED);
      if (queue.updates.length > 0 || left() <= 0 || stop.aborted) return queue.updates;
      await wakeSignal.wait(Math.min(left(), RECHECK_MS), stop);
    }
  } finally {
    off();
  }
}
