import type { Queryable, Transaction } from '../../core/database.ts';
import { renderBody } from './attempt-delivery.ts';

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
  const rows = await db.query<{
    event_id: string;
    type: string;
    sequence: bigint;
    data: string;
    state: DeliveryState;
    created_at: Date;
    next_attempt_at: Date | null;
    delivered_at: Date | null;
  }>(
    `SELECT d.event_id, v.type, v.sequence, v.data::text AS data, d.state, v.created_at, d.next_attempt_at, d.delivered_at
     FROM webhook_deliveries d JOIN events v ON v.id = d.event_id
     WHERE d.endpoint_id = $1 AND ($2::uuid IS NULL OR d.event_id < $2)
     ORDER BY d.event_id DESC LIMIT $3`,
    [endpointId, beforeId ?? null, limit],
  );
  const attempts = await readAttempts(
    db,
    endpointId,
    rows.map((row) => row.event_id),
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    type: row.type,
    sequence: Number(row.sequence),
    state: row.state,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    deliveredAt: row.delivered_at,
    payload: renderBody({ ...row, eventId: row.event_id, createdAt: row.created_at }),
    attempts: attempts.get(row.event_id) ?? [],
  }));
}

async function readAttempts(
  db: Queryable,
  endpointId: number,
  eventIds: readonly string[],
): Promise<Map<string, LoggedAttempt[]>> {
  const rows = await db.query<{
    event_id: string;
    attempted_at: Date;
    duration_ms: number;
    status_code: number | null;
    error: string | null;
    response_headers: string | null;
    response: string | null;
  }>(
    `SELECT event_id, attempted_at, duration_ms, status_code, error, response_headers, response
     FROM webhook_attempts
     WHERE endpoint_id = $1 AND event_id = ANY($2::uuid[]) ORDER BY event_id, number`,
    [endpointId, eventIds],
  );
  const attempts = new Map<string, LoggedAttempt[]>();
  for (const row of rows) {
    const list = attempts.get(row.event_id) ?? [];
    list.push({
      attemptedAt: row.attempted_at,
      durationMs: row.duration_ms,
      statusCode: row.status_code,
      error: row.error,
      responseHeaders: row.response_headers,
      response: row.response,
    });
    attempts.set(row.event_id, list);
  }
  return attempts;
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
