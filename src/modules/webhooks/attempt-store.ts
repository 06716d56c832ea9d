import type { Transaction } from '../../core/database.ts';
import type { ClaimedDelivery } from './claim-store.ts';
import type { Endpoint } from './endpoint.ts';
import type { NextStep } from './retry.ts';
import type { SendResult } from './send.ts';

export interface Attempt {
  readonly delivery: ClaimedDelivery;
  readonly result: SendResult;
  readonly attemptedAt: Date;
  readonly durationMs: number;
}

const keys = (rows: readonly { readonly delivery: ClaimedDelivery }[]) => [
  rows.map(({ delivery }) => delivery.endpointId),
  rows.map(({ delivery }) => delivery.eventId),
  rows.map(({ delivery }) => delivery.claim),
];

/** Writes the log. A delivery that was deleted during its attempt is skipped. */
export async function insertAttempts(tx: Transaction, attempts: readonly Attempt[]): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_attempts (endpoint_id, event_id, number, attempted_at, duration_ms, status_code, error,
                                   response_headers, response)
     SELECT t.* FROM unnest($1::bigint[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[],
                            $7::text[], $8::text[], $9::text[])
         AS t (endpoint_id, event_id, number, attempted_at, duration_ms, status_code, error, response_headers, response)
       JOIN webhook_deliveries d USING (endpoint_id, event_id)
     ON CONFLICT DO NOTHING`,
    [
      ...keys(attempts),
      attempts.map((attempt) => attempt.attemptedAt),
      attempts.map((attempt) => Math.round(attempt.durationMs)),
      attempts.map((attempt) => attempt.result.statusCode),
      attempts.map((attempt) => attempt.result.error),
      attempts.map((attempt) => attempt.result.responseHeaders),
      attempts.map((attempt) => attempt.result.response),
    ],
  );
}

/**
 * Stores the next state of each delivery. A delivery whose lease expired belongs to another worker and is skipped; one of
 * a disabled or deleted endpoint is not retried.
 */
export async function moveDeliveries(
  tx: Transaction,
  moves: readonly { readonly delivery: ClaimedDelivery; readonly next: NextStep }[],
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_deliveries d SET
       state = CASE WHEN t.state = 'pending' AND NOT t.is_open THEN 'failed' ELSE t.state END,
       next_attempt_at = CASE WHEN t.is_open THEN t.next_attempt_at END,
       failures = CASE WHEN t.state = 'delivered' THEN 0 ELSE d.failures + 1 END,
       delivered_at = CASE WHEN t.state = 'delivered' THEN $6::timestamptz END,
       lease_until = NULL
     FROM (SELECT m.*, e.is_enabled AND e.deleted_at IS NULL AS is_open
           FROM unnest($1::bigint[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[])
               AS m (endpoint_id, event_id, claim, state, next_attempt_at)
             JOIN webhook_endpoints e ON e.id = m.endpoint_id) t
     WHERE d.endpoint_id = t.endpoint_id AND d.event_id = t.event_id AND d.attempts = t.claim AND d.state = 'sending'`,
    [
      ...keys(moves),
      moves.map(({ next }) => next.state),
      moves.map(({ next }) => (next.state === 'pending' ? next.nextAttemptAt : null)),
      at,
    ],
  );
}

/** The health of an endpoint after a batch of attempts. */
export interface Health {
  readonly endpointId: number;
  readonly succeeded: boolean;
  /** The first failure after the last success of the batch. */
  readonly failingSince: Date | null;
  readonly gone: boolean;
}

/** Updates the health of endpoints and returns those that it disables. Healthy endpoints are not locked. */
export async function saveHealth(
  tx: Transaction,
  healths: readonly Health[],
  { at, disableIfFailingSince }: { at: Date; disableIfFailingSince: Date },
): Promise<Pick<Endpoint, 'id' | 'accountId' | 'url'>[]> {
  const rows = await tx.query<Pick<Endpoint, 'id' | 'accountId' | 'url' | 'isEnabled'>>(
    `WITH changed AS (
       SELECT e.id, s.gone,
         CASE WHEN s.failing_since IS NULL OR s.succeeded THEN s.failing_since
              ELSE coalesce(e.failing_since, s.failing_since) END AS failing_since
       FROM webhook_endpoints e
         JOIN unnest($1::bigint[], $2::boolean[], $3::timestamptz[], $4::boolean[])
           AS s (id, succeeded, failing_since, gone) ON s.id = e.id
       WHERE e.is_enabled AND e.deleted_at IS NULL AND (e.failing_since IS NOT NULL OR s.failing_since IS NOT NULL OR s.gone)
       ORDER BY e.id
       FOR NO KEY UPDATE OF e
     ), judged AS (
       SELECT id, failing_since, CASE WHEN gone THEN 'gone' WHEN failing_since <= $6 THEN 'failing' END AS reason
       FROM changed
     )
     UPDATE webhook_endpoints e SET failing_since = j.failing_since, is_enabled = j.reason IS NULL,
       disabled_reason = j.reason, disabled_at = CASE WHEN j.reason IS NOT NULL THEN $5::timestamptz END
     FROM judged j WHERE e.id = j.id
     RETURNING e.id::float8 AS id, e.account_id::float8 AS "accountId", e.url, e.is_enabled AS "isEnabled"`,
    [
      healths.map((health) => health.endpointId),
      healths.map((health) => health.succeeded),
      healths.map((health) => health.failingSince),
      healths.map((health) => health.gone),
      at,
      disableIfFailingSince,
    ],
  );
  return rows.filter(({ isEnabled }) => !isEnabled);
}
