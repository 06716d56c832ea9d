import type { Queryable, Transaction } from '../../core/database.ts';

/** Longer than one attempt, so that only a killed process loses its lease. */
const LEASE_SECONDS = 10;

export interface Webhook {
  readonly url: string;
  readonly secret: string | null;
  readonly allowedUpdates: readonly string[] | undefined;
}

/** Sets the webhook; `undefined` removes it. Both clear the last error. */
export async function writeWebhook(tx: Transaction, botId: number, webhook: Webhook | undefined): Promise<void> {
  await tx.query(
    `UPDATE sandbox.tg_bots SET webhook_url = $2, webhook_secret = $3,
       allowed_updates = COALESCE($4::text[], allowed_updates),
       webhook_error = NULL, webhook_error_at = NULL, lease_owner = NULL, lease_until = NULL
     WHERE bot_id = $1`,
    [botId, webhook?.url ?? null, webhook?.secret ?? null, webhook?.allowedUpdates ?? null],
  );
}

export interface WebhookState {
  readonly url: string | null;
  readonly allowedUpdates: string[] | null;
  readonly pending: number;
  readonly error: string | null;
  readonly errorAt: Date | null;
}

export async function readWebhook(db: Queryable, botId: number): Promise<WebhookState | undefined> {
  const [state] = await db.query<WebhookState>(
    `SELECT webhook_url AS url, allowed_updates AS "allowedUpdates", webhook_error AS error,
       webhook_error_at AS "errorAt",
       (SELECT count(*)::int FROM sandbox.tg_updates u WHERE u.bot_id = b.bot_id) AS pending
     FROM sandbox.tg_bots b WHERE bot_id = $1`,
    [botId],
  );
  return state;
}

export interface Delivery {
  readonly url: string;
  readonly secret: string | null;
  readonly updateId: number;
  readonly update: object;
}

export type Claim = { state: 'idle' } | { state: 'leased' } | { state: 'claimed'; delivery: Delivery };

/**
 * Claims the bot's oldest update for delivery. The lease excludes other processes, so that a bot gets its updates in
 * order; a transaction must not stay open during an HTTP call.
 */
export async function claimDelivery(db: Queryable, botId: number, owner: string): Promise<Claim> {
  const [bot] = await db.query<{ webhook_url: string; webhook_secret: string | null }>(
    `UPDATE sandbox.tg_bots SET lease_owner = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
     WHERE bot_id = $1 AND webhook_url IS NOT NULL
       AND (lease_until IS NULL OR lease_until < clock_timestamp() OR lease_owner = $2)
     RETURNING webhook_url, webhook_secret`,
    [botId, owner, LEASE_SECONDS],
  );
  if (!bot) {
    const [hooked] = await db.query<{ bot_id: bigint }>(
      'SELECT bot_id FROM sandbox.tg_bots WHERE bot_id = $1 AND webhook_url IS NOT NULL',
      [botId],
    );
    return { state: hooked ? 'leased' : 'idle' };
  }
  const [next] = await db.query<{ update_id: bigint; body: object }>(
    'SELECT update_id, body FROM sandbox.tg_updates WHERE bot_id = $1 ORDER BY update_id LIMIT 1',
    [botId],
  );
  if (!next) {
    await releaseLease(db, botId, owner);
    return { state: 'idle' };
  }
  const updateId = Number(next.update_id);
  return {
    state: 'claimed',
    delivery: {
      url: bot.webhook_url,
      secret: bot.webhook_secret,
      updateId,
      update: { update_id: updateId, ...next.body },
    },
  };
}

export async function releaseLease(db: Queryable, botId: number, owner: string): Promise<void> {
  await db.query(
    'UPDATE sandbox.tg_bots SET lease_owner = NULL, lease_until = NULL WHERE bot_id = $1 AND lease_owner = $2',
    [botId, owner],
  );
}

export async function recordWebhookError(db: Queryable, botId: number, error: string, at: Date): Promise<void> {
  await db.query('UPDATE sandbox.tg_bots SET webhook_error = $2, webhook_error_at = $3 WHERE bot_id = $1', [
    botId,
    error,
    at,
  ]);
}

/** Returns the bots with a webhook and undelivered updates. */
export async function listBacklogs(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ bot_id: bigint }>(
    `SELECT bot_id FROM sandbox.tg_bots b WHERE webhook_url IS NOT NULL
       AND EXISTS (SELECT FROM sandbox.tg_updates u WHERE u.bot_id = b.bot_id) LIMIT 1000`,
  );
  return rows.map((row) => Number(row.bot_id));
}
