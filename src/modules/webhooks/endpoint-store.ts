import type { Queryable, Transaction } from '../../core/database.ts';
import type { EventType } from '../events/index.ts';
import type { Endpoint } from './endpoint.ts';
import type { WebhookFormat } from './format.ts';

const COLUMNS = `id::float8 AS id, account_id::float8 AS "accountId", url, events, format, is_enabled AS "isEnabled",
  disabled_reason AS "disabledReason", disabled_at AS "disabledAt", failing_since AS "failingSince",
  previous_secret_until AS "previousSecretUntil", created_at AS "createdAt"`;

export interface EndpointKey {
  readonly endpointId: number;
  readonly accountId: number;
}

export interface NewEndpointRow {
  readonly accountId: number;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret: Buffer;
  readonly format: WebhookFormat;
  readonly at: Date;
}

/** Returns `undefined` when the account already has `max` endpoints. */
export async function insertEndpoint(tx: Transaction, row: NewEndpointRow, max: number): Promise<Endpoint | undefined> {
  // Without the lock two parallel requests could both insert the last allowed endpoint.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks of an account', $1))`, [row.accountId]);
  const [inserted] = await tx.query<Endpoint>(
    `INSERT INTO webhook_endpoints (account_id, url, events, secret_encrypted, created_at, format)
     SELECT $1, $2, $3, $4, $5, $7
     WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL) < $6
     RETURNING ${COLUMNS}`,
    [row.accountId, row.url, row.events, row.secret, row.at, max, row.format],
  );
  return inserted;
}

export async function selectEndpoints(db: Queryable, accountId: number): Promise<Endpoint[]> {
  return db.query<Endpoint>(
    `SELECT ${COLUMNS} FROM webhook_endpoints e WHERE account_id = $1 AND deleted_at IS NULL ORDER BY e.id`,
    [accountId],
  );
}

/** Returns `undefined` for an endpoint of another account. */
export async function findEndpoint(
  db: Queryable,
  { endpointId, accountId }: EndpointKey,
): Promise<Endpoint | undefined> {
  const [row] = await db.query<Endpoint>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
    [endpointId, accountId],
  );
  return row;
}

/** The current secret becomes the previous one; the one before that stops signing. */
export async function replaceSecret(
  tx: Transaction,
  { endpointId, accountId }: EndpointKey,
  { secret, previousUntil }: { secret: Buffer; previousUntil: Date },
): Promise<Endpoint | undefined> {
  const [row] = await tx.query<Endpoint>(
    `UPDATE webhook_endpoints SET secret_encrypted = $3, previous_secret_encrypted = secret_encrypted,
       previous_secret_until = $4
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
    [endpointId, accountId, secret, previousUntil],
  );
  return row;
}

/** Enables the endpoint and clears its failures. */
export async function setEnabled(
  tx: Transaction,
  { endpointId, accountId }: EndpointKey,
): Promise<Endpoint | undefined> {
  const [row] = await tx.query<Endpoint>(
    `UPDATE webhook_endpoints SET is_enabled = true, disabled_reason = NULL, disabled_at = NULL, failing_since = NULL
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
    [endpointId, accountId],
  );
  return row;
}

/** Stops deliveries and deletes the secrets. Returns whether the endpoint existed. */
export async function markDeleted(tx: Transaction, { endpointId, accountId }: EndpointKey, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE webhook_endpoints SET deleted_at = $3, secret_encrypted = NULL, previous_secret_encrypted = NULL,
       previous_secret_until = NULL
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING id`,
    [endpointId, accountId, at],
  );
  if (rows.length > 0) await failPending(tx, [endpointId]);
  return rows.length > 0;
}

/** Fails the pending deliveries of disabled or deleted endpoints. */
export async function failPending(tx: Transaction, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return;
  await tx.query(
    `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL
     WHERE endpoint_id = ANY($1::bigint[]) AND state = 'pending'`,
    [endpointIds],
  );
}

/** Returns the encrypted secrets, current and previous, of the newest endpoints whose URL contains this text. */
export async function readSecretsFor(db: Queryable, addressPart: string, limit: number): Promise<Buffer[]> {
  const rows = await db.query<{ secret_encrypted: Buffer | null; previous_secret_encrypted: Buffer | null }>(
    `SELECT secret_encrypted, previous_secret_encrypted FROM webhook_endpoints
     WHERE deleted_at IS NULL AND strpos(url, $1) > 0 ORDER BY id DESC LIMIT $2`,
    [addressPart, limit],
  );
  return rows.flatMap((row) =>
    [row.secret_encrypted, row.previous_secret_encrypted].filter((sealed) => sealed !== null),
  );
}
