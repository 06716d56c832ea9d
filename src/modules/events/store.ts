import type { Database, Queryable, Transaction } from '../../core/database.ts';

export interface EventRow {
  readonly id: string;
  readonly accountId: number;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
}

/**
 * Numbers the events, stores them and queues them for every subscribed endpoint, in one statement. An event without a
 * subscribed endpoint is not stored, because no endpoint could receive it. Events of a disabled endpoint are stored, so
 * that they can be replayed when it is enabled again. With `onlyEndpointId` only that endpoint gets the events, even if
 * it is not subscribed. Returns the number of stored events.
 */
export async function insertEvents(
  tx: Transaction,
  events: readonly EventRow[],
  at: Date,
  onlyEndpointId?: number,
): Promise<number> {
  const [row] = await tx.query<{ stored: bigint }>(
    `WITH incoming AS (
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY
         AS i (id, account_id, type, data, position)
     ), audience AS (
       SELECT i.id, i.position, i.account_id, e.id AS endpoint_id, e.is_enabled
       FROM incoming i JOIN webhook_endpoints e ON e.account_id = i.account_id AND e.deleted_at IS NULL
       WHERE CASE WHEN $6::bigint IS NULL THEN i.type = ANY(e.events) ELSE e.id = $6 END
     ), wanted AS (
       SELECT DISTINCT id, position, account_id FROM audience
     ), counters AS (
       -- Always in the same order, so that two transactions with several accounts wait for each other and never both.
       INSERT INTO event_counters AS c (account_id, last_sequence)
       SELECT account_id, count(*) FROM wanted GROUP BY account_id ORDER BY account_id
       ON CONFLICT (account_id) DO UPDATE SET last_sequence = c.last_sequence + excluded.last_sequence
       RETURNING c.account_id, c.last_sequence
     ), stored AS (
       INSERT INTO events (id, account_id, sequence, type, data, created_at)
       SELECT i.id, i.account_id,
         c.last_sequence + 1 - row_number() OVER (PARTITION BY i.account_id ORDER BY i.position DESC),
         i.type, i.data::json, $5
       FROM incoming i JOIN wanted w USING (id) JOIN counters c ON c.account_id = i.account_id
       RETURNING id
     ), queued AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
       SELECT endpoint_id, id, 'pending', $5 FROM audience WHERE is_enabled
     )
     SELECT count(*) AS stored FROM stored`,
    [
      events.map((event) => event.id),
      events.map((event) => event.accountId),
      events.map((event) => event.type),
      events.map((event) => event.data),
      at,
      onlyEndpointId ?? null,
    ],
  );
  return Number(row?.stored ?? 0);
}

/** Returns the accounts that have an endpoint, enabled or not. Events of other accounts are not stored. */
export async function findListeners(db: Queryable, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ account_id: bigint }>(
    'SELECT DISTINCT account_id FROM webhook_endpoints WHERE account_id = ANY($1::bigint[]) AND deleted_at IS NULL',
    [accountIds],
  );
  return new Set(rows.map((row) => Number(row.account_id)));
}

/** Deletes events below this id with their deliveries, at most `limit`. Returns the number of deleted events. */
export async function deleteEvents(db: Database, belowId: string, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; account_id: bigint }>(
      `WITH old AS MATERIALIZED (
         SELECT id FROM events WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM events e USING old WHERE e.id = old.id RETURNING e.id, e.account_id`,
      [belowId, limit],
    );
    const ids = rows.map((row) => row.id);
    const accountIds = rows.map((row) => row.account_id);
    for (const table of ['webhook_attempts', 'webhook_deliveries']) {
      // Only endpoints of the event's own account have deliveries of it, so the query needs no others.
      await tx.query(
        `DELETE FROM ${table} t USING webhook_endpoints e, unnest($1::uuid[], $2::bigint[]) AS gone (id, account_id)
         WHERE e.account_id = gone.account_id AND t.endpoint_id = e.id AND t.event_id = gone.id`,
        [ids, accountIds],
      );
    }
    return rows.length;
  });
}
