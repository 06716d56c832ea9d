import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './context.ts';
import { confirmUpdates } from './updates-store.ts';
import { claimDelivery, type Delivery, listBacklogs, recordWebhookError, releaseLease } from './webhooks-store.ts';

const ATTEMPT_TIMEOUT_MS = 5_000;
/** Delays before the second and later attempts. After the last attempt the update is dropped, as at Telegram. */
const RETRY_DELAYS_MS = [200, 500, 1_000] as const;
/** When another process holds the bot's lease: the time after which the lease must have ended. */
const TAKE_OVER_MS = 11_000;

/** Sends the updates of bots with a webhook: one after another per bot, in parallel for different bots. */
export function createWebhookSender(context: Context) {
  const owner = randomUUID();
  const running = new Map<number, Promise<void>>();
  const requestedAgain = new Set<number>();

  function deliver(botId: number): void {
    if (context.closing.aborted) return;
    if (running.has(botId)) {
      requestedAgain.add(botId);
      return;
    }
    const done = deliverQueue(context, botId, owner)
      .then(
        (result) => (result === 'leased' ? deliverLater(botId) : undefined),
        // The database is unavailable: the next update or this timer tries again.
        () => deliverLater(botId),
      )
      .finally(() => {
        running.delete(botId);
        if (requestedAgain.delete(botId)) deliver(botId);
      });
    running.set(botId, done);
  }

  function deliverLater(botId: number): void {
    setTimeout(() => deliver(botId), TAKE_OVER_MS).unref();
  }

  async function deliverBacklogs(): Promise<void> {
    for (const botId of await listBacklogs(context.db)) deliver(botId);
  }

  context.bus.on('webhook', (event) => deliver(event.bot));
  context.bus.onGap(() => {
    deliverBacklogs().catch(() => undefined); // the connection is lost again, and another gap follows
  });

  return {
    /** Delivers the updates that waited while no process ran. */
    start: deliverBacklogs,
    /** Resolves when no delivery is in progress. */
    async stopped(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}

async function deliverQueue(context: Context, botId: number, owner: string): Promise<'idle' | 'leased'> {
  let attempts = 0;
  while (!context.closing.aborted) {
    const claim = await claimDelivery(context.db, botId, owner);
    if (claim.state !== 'claimed') return claim.state;
    const error = await post(claim.delivery, context.closing);
    if (context.closing.aborted && error !== undefined) break;
    attempts += 1;
    if (error !== undefined) await recordWebhookError(context.db, botId, error, context.clock.now());
    const delay = RETRY_DELAYS_MS[attempts - 1];
    if (error !== undefined && delay !== undefined) {
      await sleep(delay, undefined, { signal: context.closing }).catch(() => undefined);
      continue;
    }
    attempts = 0;
    await context.bus.transact(async (tx, announce) => {
      const confirmed = await confirmUpdates(tx, botId, claim.delivery.updateId + 1);
      if (confirmed !== undefined) announce({ kind: 'confirmed', bot: botId, id: confirmed });
    });
  }
  await releaseLease(context.db, botId, owner);
  return 'idle';
}

/** Returns the error text, or `undefined` when the bot accepted the update. */
async function post(delivery: Delivery, closing: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(delivery.secret === null ? {} : { 'x-telegram-bot-api-secret-token': delivery.secret }),
      },
      body: JSON.stringify(delivery.update),
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_TIMEOUT_MS), closing]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `Wrong response from the webhook: ${response.status} ${response.statusText}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'Read timeout expired' : 'Connection failed';
  }
}
