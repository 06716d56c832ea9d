import type { Database, Queryable, Transaction } from '../../core/database.ts';
import type { WebhookFormat } from './format.ts';

/** A delivery that a worker has leased, with everything needed to send it. */
export interface ClaimedDelivery {
  readonly endpointId: number;
  readonly eventId: string;
  /** The number of this attempt. */
  readonly claim: number;
  /** Consecutive failures before this attempt. */
  readonly failures: number;
  readonly isEndpointFailing: boolean;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly type: string;
  readonly sequence: bigint;
  /** JSON text, as it was recorded. */
  readonly data: string;
  readonly createdAt: Date;
  readonly format: WebhookFormat;
  /** The link of the event's order; only for the formats of other networks. */
  readonly link: string | null;
}

export interface ClaimRequest {
  /** Only one worker at a time holds an endpoint's deliveries, so that its limit applies across all workers. */
  readonly worker: string;
  readonly now: Date;
  readonly slots: number;
  /** How many of the slots failing endpoints may use together. */
  readonly failingSlots: number;
  /** Endpoints that need no more deliveries now. */
  readonly full: readonly number[];
  /** Returns how many deliveries an endpoint may have. */
  readonly roomFor: (endpointId: number, isFailing: boolean) => number;
  readonly leaseSeconds: number;
}

/** Claims due deliveries fairly: the first of every endpoint before the second of any. */
export async function claimDeliveries(db: Database, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const ready = await lockReadyEndpoints(tx, request);
    return ready.length === 0 ? [] : take(tx, ready, request);
  });
}

interface ReadyEndpoint {
  readonly id: number;
  readonly isFailing: boolean;
}

/**
 * Skips from endpoint to endpoint in the index of pending deliveries, so its cost grows with the endpoints and not with
 * their deliveries. Locks the endpoints so that no other worker claims for them.
 */
async function lockReadyEndpoints(
  tx: Transaction,
  { worker, now, slots, failingSlots, full }: ClaimRequest,
): Promise<ReadyEndpoint[]> {
  return tx.query<ReadyEndpoint>(
    `WITH RECURSIVE head AS (
       (SELECT endpoint_id, next_attempt_at FROM webhook_deliveries WHERE state = 'pending'
        ORDER BY endpoint_id, next_attempt_at LIMIT 1)
       UNION ALL
       SELECT n.endpoint_id, n.next_attempt_at
       FROM head h CROSS JOIN LATERAL (
         SELECT endpoint_id, next_attempt_at FROM webhook_deliveries
         WHERE state = 'pending' AND endpoint_id > h.endpoint_id
         ORDER BY endpoint_id, next_attempt_at LIMIT 1) n
     ), ready AS (
       SELECT e.id, e.failing_since IS NOT NULL AS is_failing,
         row_number() OVER (PARTITION BY e.failing_since IS NOT NULL ORDER BY h.next_attempt_at) AS place
       FROM head h JOIN webhook_endpoints e ON e.id = h.endpoint_id
       WHERE h.next_attempt_at <= $1 AND e.is_enabled AND e.deleted_at IS NULL AND e.id <> ALL($2::bigint[])
         AND NOT EXISTS (SELECT FROM webhook_deliveries s
                         WHERE s.endpoint_id = e.id AND s.state = 'sending' AND s.worker <> $3)
     )
     SELECT e.id::float8 AS id, r.is_failing AS "isFailing"
     FROM ready r JOIN webhook_endpoints e ON e.id = r.id
     WHERE r.place <= CASE WHEN r.is_failing THEN $5::integer ELSE $4::integer END
     FOR NO KEY UPDATE OF e SKIP LOCKED`,
    [now, full, worker, slots, failingSlots],
  );
}

/** Checks again that no other worker holds the endpoint: it may have claimed before the lock was taken. */
async function take(
  tx: Transaction,
  webhooks: readonly ReadyEndpoint[],
  { worker, now, slots, roomFor, leaseSeconds }: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  const rows = await tx.query<ClaimedDelivery>(
    `WITH due AS (
       SELECT w.endpoint_id, d.event_id
       FROM unnest($1::bigint[], $2::integer[]) AS w (endpoint_id, most)
       CROSS JOIN LATERAL (
         SELECT event_id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at, event_id) AS turn
         FROM webhook_deliveries
         WHERE endpoint_id = w.endpoint_id AND state = 'pending' AND next_attempt_at <= $3
         ORDER BY next_attempt_at, event_id
         LIMIT w.most) d
       WHERE NOT EXISTS (SELECT FROM webhook_deliveries s
                         WHERE s.endpoint_id = w.endpoint_id AND s.state = 'sending' AND s.worker <> $6)
       ORDER BY d.turn, d.next_attempt_at
       LIMIT $4
     )
     UPDATE webhook_deliveries d SET state = 'sending', worker = $6, attempts = d.attempts + 1,
       lease_until = clock_timestamp() + make_interval(secs => $5)
     FROM due JOIN webhook_endpoints e ON e.id = due.endpoint_id JOIN events v ON v.id = due.event_id
     WHERE d.endpoint_id = due.endpoint_id AND d.event_id = due.event_id AND d.state = 'pending'
     RETURNING d.endpoint_id::float8 AS "endpointId", d.event_id AS "eventId", d.attempts AS claim, d.failures,
       e.failing_since IS NOT NULL AS "isEndpointFailing", e.url, e.secret_encrypted AS secret,
       e.previous_secret_encrypted AS "previousSecret", e.previous_secret_until AS "previousSecretUntil", v.type, v.sequence,
       v.data::text AS data, v.created_at AS "createdAt", e.format,
       CASE WHEN e.format <> 'sponsorgate' THEN
         (SELECT o.link FROM orders o WHERE o.id = (v.data->>'order_id')::bigint) END AS link`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ id, isFailing }) => roomFor(id, isFailing)),
      now,
      slots,
      leaseSeconds,
      worker,
    ],
  );
  // UPDATE returns rows in no order, and the endpoint queues keep the order they get.
  return rows.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
}

/** Makes deliveries with an expired lease due again. Returns their number. */
export async function releaseExpired(db: Queryable): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries d SET state = 'pending', lease_until = NULL
     FROM (SELECT endpoint_id, event_id FROM webhook_deliveries
           WHERE state = 'sending' AND lease_until < clock_timestamp() FOR UPDATE SKIP LOCKED) lost
     WHERE d.endpoint_id = lost.endpoint_id AND d.event_id = lost.event_id
     RETURNING d.endpoint_id`,
  );
  return rows.length;
}

/** Makes claimed deliveries that were not sent due again at once. */
export async function releaseDeliveries(db: Queryable, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries d SET state = 'pending', lease_until = NULL
     FROM unnest($1::bigint[], $2::uuid[], $3::integer[]) AS t (endpoint_id, event_id, claim)
     WHERE d.endpoint_id = t.endpoint_id AND d.event_id = t.event_id AND d.attempts = t.claim AND d.state = 'sending'`,
    [
      deliveries.map((delivery) => delivery.endpointId),
      deliveries.map((delivery) => delivery.eventId),
      deliveries.map((delivery) => delivery.claim),
    ],
  );
}

/** Returns whether a delivery is due, or being sent by any worker. */
export async function isAnythingDue(db: Queryable, now: Date): Promise<boolean> {
  const [row] = await db.query<{ is_due: boolean }>(
    `SELECT EXISTS (SELECT FROM webhook_endpoints e WHERE e.is_enabled AND e.deleted_at IS NULL AND (
         EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'pending'
                   AND d.next_attempt_at <= $1)
         OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'sending'))) AS is_due`,
    [now],
  );
  return row?.is_due ?? false;
}

/** Due deliveries, counted separately for healthy and failing endpoints. */
interface DeliveryBacklog {
  readonly isFailing: boolean;
  /** At most a thousand per endpoint are counted. */
  readonly count: number;
  readonly oldestDueAt: Date | null;
}

const COUNT_LIMIT_PER_ENDPOINT = 1_000;

/** Costs one indexed query per enabled endpoint. */
export async function readDeliveriesDue(db: Queryable, now: Date): Promise<DeliveryBacklog[]> {
  return db.query<DeliveryBacklog>(
    `SELECT e.failing_since IS NOT NULL AS "isFailing", sum(d.count)::float8 AS count, min(d.oldest) AS "oldestDueAt"
     FROM webhook_endpoints e CROSS JOIN LATERAL (
       SELECT count(*) AS count, min(next_attempt_at) AS oldest
       FROM (SELECT next_attempt_at FROM webhook_deliveries
             WHERE endpoint_id = e.id AND state = 'pending' AND next_attempt_at <= $1
             ORDER BY next_attempt_at LIMIT $2) AS due) AS d
     WHERE e.is_enabled AND e.deleted_at IS NULL
     GROUP BY 1`,
    [now, COUNT_LIMIT_PER_ENDPOINT],
  );
}
