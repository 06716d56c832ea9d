import type { Queryable, Transaction } from '../../core/database.ts';
import { renderBody, type WebhookFormat } from './format.ts';

type DeliveryState = 'pending' | 'sending' | 'delivered' | 'failed';

interface LoggedAttempt {
  readonly attemptedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** One `name: value` per line. */
  readonly responseHeaders: string | null;
  readonly response: string | null;
}

export interface LoggedDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  /** The JSON text that every attempt sends. */
  readonly payload: string;
  readonly attempts: readonly LoggedAttempt[];
}

/** Returns the newest deliveries first; `beforeId` is the last id of the previous page. */
export async function readDeliveries(
  db: Queryable,
  { endpointId, limit, beforeId }: { endpointId: number; limit: number; beforeId: string | undefined },
): Promise<LoggedDelivery[]> {
  const rows = await db.query<
    Omit<LoggedDelivery, 'payload' | 'attempts'> & {
      readonly data: string;
      readonly format: WebhookFormat;
      readonly link: string | null;
    }
  >(
    `SELECT d.event_id AS "eventId", v.type, v.sequence::float8 AS sequence, v.data::text AS data, d.state,
       v.created_at AS "createdAt", d.next_attempt_at AS "nextAttemptAt", d.delivered_at AS "deliveredAt", e.format,
       CASE WHEN e.format <> 'sponsorgate' THEN
         (SELECT o.link FROM orders o WHERE o.id = (v.data->>'order_id')::bigint) END AS link
     FROM webhook_deliveries d JOIN events v ON v.id = d.event_id JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.endpoint_id = $1 AND ($2::uuid IS NULL OR d.event_id < $2)
     ORDER BY d.event_id DESC LIMIT $3`,
    [endpointId, beforeId ?? null, limit],
  );
  const attempts = await db.query<LoggedAttempt & { readonly eventId: string }>(
    `SELECT event_id AS "eventId", attempted_at AS "attemptedAt", duration_ms AS "durationMs", status_code AS "statusCode",
       error, response_headers AS "responseHeaders", response
     FROM webhook_attempts WHERE endpoint_id = $1 AND event_id = ANY($2::uuid[]) ORDER BY event_id, number`,
    [endpointId, rows.map(({ eventId }) => eventId)],
  );
  const byEvent = Map.groupBy(attempts, ({ eventId }) => eventId);
  return rows.map(({ data, format, link, ...row }) => ({
    ...row,
    payload: renderBody({ ...row, data, format, link }) ?? '',
    attempts: byEvent.get(row.eventId) ?? [],
  }));
}

/**
 * Queues a delivery again with all its retries. One that is being sent is left alone. Returns how many were queued,
 * `undefined` when the delivery does not exist.
 */
export async function requeueDelivery(
  tx: Transaction,
  { endpointId, eventId, at }: { endpointId: number; eventId: string; at: Date },
): Promise<number | undefined> {
  const [row] = await tx.query<{ state: DeliveryState }>(
    'SELECT state FROM webhook_deliveries WHERE endpoint_id = $1 AND event_id = $2 FOR UPDATE',
    [endpointId, eventId],
  );
  if (row === undefined) return undefined;
  if (row.state === 'sending') return 0;
  await tx.query(
    `UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = $3, failures = 0, delivered_at = NULL
     WHERE endpoint_id = $1 AND event_id = $2`,
    [endpointId, eventId, at],
  );
  return 1;
}

/** Queues all deliveries of a range of ids, and events that were recorded while the endpoint was disabled. */
export async function requeueRange(
  tx: Transaction,
  { endpointId, fromId, belowId, at }: { endpointId: number; fromId: string; belowId: string | undefined; at: Date },
): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `WITH again AS (
       UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = $3, failures = 0, delivered_at = NULL
       WHERE endpoint_id = $1 AND event_id >= $2 AND ($4::uuid IS NULL OR event_id < $4) AND state <> 'sending'
       RETURNING event_id
     ), missed AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
       SELECT e.id, v.id, 'pending', $3
       FROM webhook_endpoints e JOIN events v ON v.account_id = e.account_id AND v.type = ANY(e.events)
       WHERE e.id = $1 AND v.id >= $2 AND ($4::uuid IS NULL OR v.id < $4)
       ON CONFLICT DO NOTHING
       RETURNING event_id
     )
     SELECT (SELECT count(*) FROM again) + (SELECT count(*) FROM missed) AS count`,
    [endpointId, fromId, at, belowId ?? null],
  );
  return Number(row?.count ?? 0);
}
