import type { Queryable, Transaction } from '../../core/database.ts';
import type { EventType } from '../events/index.ts';
import type { DisabledReason, Webhook } from './webhook.ts';

interface WebhookRow {
  id: bigint;
  account_id: bigint;
  url: string;
  events: EventType[];
  is_enabled: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  failing_since: Date | null;
  previous_secret_until: Date | null;
  created_at: Date;
}

const COLUMNS = `id, account_id, url, events, is_enabled, disabled_reason, disabled_at, failing_since,
  previous_secret_until, created_at`;

const toWebhook = (row: WebhookRow): Webhook => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  url: row.url,
  events: row.events,
  isEnabled: row.is_enabled,
  disabledReason: row.disabled_reason,
  disabledAt: row.disabled_at,
  failingSince: row.failing_since,
  previousSecretUntil: row.previous_secret_until,
  createdAt: row.created_at,
});

export interface WebhookKey {
  readonly webhookId: number;
  readonly accountId: number;
}

export interface NewWebhookRow {
  readonly accountId: number;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret: Buffer;
  readonly at: Date;
}

/** Answers nothing when the account has `max` already. */
export async function insertWebhook(tx: Transaction, row: NewWebhookRow, max: number): Promise<Webhook | undefined> {
  // Two at once would both find room for one more.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks of an account', $1))`, [row.accountId]);
  const [inserted] = await tx.query<WebhookRow>(
    `INSERT INTO webhook_endpoints (account_id, url, events, secret_encrypted, created_at)
     SELECT $1, $2, $3, $4, $5
     WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL) < $6
     RETURNING ${COLUMNS}`,
    [row.accountId, row.url, row.events, row.secret, row.at, max],
  );
  return inserted && toWebhook(inserted);
}

export async function listWebhooksOf(db: Queryable, accountId: number): Promise<Webhook[]> {
  const rows = await db.query<WebhookRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id`,
    [accountId],
  );
  return rows.map(toWebhook);
}

/** Another owner's webhook is as good as none. */
export async function findWebhook(db: Queryable, { webhookId, accountId }: WebhookKey): Promise<Webhook | undefined> {
  const [row] = await db.query<WebhookRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
    [webhookId, accountId],
  );
  return row && toWebhook(row);
}

/** The present secret becomes the previous one; one that was previous signs no more. */
export async function replaceSecret(
  tx: Transaction,
  { webhookId, accountId }: WebhookKey,
  { secret, previousUntil }: { secret: Buffer; previousUntil: Date },
): Promise<Webhook | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `UPDATE webhook_endpoints SET secret_encrypted = $3, previous_secret_encrypted = secret_encrypted,
       previous_secret_until = $4
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
    [webhookId, accountId, secret, previousUntil],
  );
  return row && toWebhook(row);
}

/** As good as new: what it failed before is forgiven. */
export async function setEnabled(tx: Transaction, { webhookId, accountId }: WebhookKey): Promise<Webhook | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `UPDATE webhook_endpoints SET is_enabled = true, disabled_reason = NULL, disabled_at = NULL, failing_since = NULL,
       notice_due_at = NULL
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
    [webhookId, accountId],
  );
  return row && toWebhook(row);
}

/** Nothing more is sent there, and its secrets are gone. Answers whether there was such a webhook. */
export async function markDeleted(tx: Transaction, { webhookId, accountId }: WebhookKey, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE webhook_endpoints SET deleted_at = $3, secret_encrypted = NULL, previous_secret_encrypted = NULL,
       previous_secret_until = NULL, notice_due_at = NULL
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING id`,
    [webhookId, accountId, at],
  );
  if (rows.length > 0) await failPending(tx, [webhookId]);
  return rows.length > 0;
}

/** What waits for receivers that get nothing any more. */
export async function failPending(tx: Transaction, webhookIds: readonly number[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx.query(
    `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL
     WHERE endpoint_id = ANY($1::bigint[]) AND state = 'pending'`,
    [webhookIds],
  );
}

/**
 * Webhooks whose owners are still to be told that they were disabled. Taking one keeps others off it for a while; it is
 * shown again unless `markTold` follows, so that a process which dies in between costs a delay and not the message.
 */
export async function takeNotices(db: Queryable, leaseSeconds: number): Promise<Webhook[]> {
  const rows = await db.query<WebhookRow>(
    `UPDATE webhook_endpoints SET notice_due_at = clock_timestamp() + make_interval(secs => $1)
     WHERE id IN (SELECT id FROM webhook_endpoints WHERE notice_due_at <= clock_timestamp()
                  ORDER BY notice_due_at LIMIT 20 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${COLUMNS}`,
    [leaseSeconds],
  );
  return rows.map(toWebhook);
}

export async function markTold(db: Queryable, webhookId: number): Promise<void> {
  await db.query('UPDATE webhook_endpoints SET notice_due_at = NULL WHERE id = $1', [webhookId]);
}
