import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './context.ts';
import { confirmUpdates } from './updates-store.ts';
import { claimDelivery, type Delivery, listBacklogs, recordWebhookError, releaseLease } from './webhooks-store.ts';

const ATTEMPT_TIMEOUT_MS = 5_000;
/** Waits before the second and later attempts. After the last one Telegram, too, gives the update up. */
const RETRY_DELAYS_MS = [200, 500, 1_000] as const;
/** When another process holds the bot: look again after its lease must have run out. */
const TAKE_OVER_MS = 11_000;

export interface WebhookPump {
  /** Picks up what was left undelivered when the last process stopped. */
  start(): Promise<void>;
  /** Resolves when no delivery is in flight any more. */
  stopped(): Promise<void>;
}

/** Sends the updates of bots with a webhook, one after another per bot, side by side for different bots. */
export function createWebhookPump(context: Context): WebhookPump {
  const owner = randomUUID();
  const running = new Map<number, Promise<void>>();
  const rungAgain = new Set<number>();

  function kick(botId: number): void {
    if (context.closing.aborted) return;
    if (running.has(botId)) {
      rungAgain.add(botId);
      return;
    }
    const done = drain(context, botId, owner)
      .then(
        (result) => (result === 'leased' ? kickLater(botId) : undefined),
        // The database is away; the next update, or the take-over, tries again.
        () => kickLater(botId),
      )
      .finally(() => {
        running.delete(botId);
        if (rungAgain.delete(botId)) kick(botId);
      });
    running.set(botId, done);
  }

  function kickLater(botId: number): void {
    setTimeout(() => kick(botId), TAKE_OVER_MS).unref();
  }

  async function kickAll(): Promise<void> {
    for (const botId of await listBacklogs(context.db)) kick(botId);
  }

  context.bus.on('webhook', (event) => kick(event.bot));
  context.bus.onGap(() => {
    kickAll().catch(() => undefined); // the connection is gone again, and another gap will follow
  });

  return {
    start: kickAll,
    async stopped() {
      await Promise.all(running.values());
    },
  };
}

async function drain(context: Context, botId: number, owner: string): Promise<'idle' | 'leased'> {
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

/** `undefined` when the bot took the update. */
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
