import type { Queryable } from '../core/database.ts';

export interface InboxDelivery {
  readonly id: number;
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly receivedAt: Date;
}

interface DeliveryRow extends Omit<InboxDelivery, 'id' | 'receivedAt'> {
  delivery_id: bigint;
  received_at: Date;
}

export async function insertDelivery(
  db: Queryable,
  delivery: Omit<InboxDelivery, 'id'>,
  keptDeliveries: number,
): Promise<void> {
  const [row] = await db.query<{ delivery_id: bigint }>(
    'INSERT INTO sandbox.inbox (name, headers, body, received_at) VALUES ($1, $2, $3, $4) RETURNING delivery_id',
    [delivery.name, JSON.stringify(delivery.headers), delivery.body, delivery.receivedAt],
  );
  if (!row) return;
  await db.query('DELETE FROM sandbox.inbox WHERE delivery_id <= $1', [row.delivery_id - BigInt(keptDeliveries)]);
}

/** Returns the newest deliveries, newest first; only those under `name` when it is given. */
export async function latestDeliveries(db: Queryable, limit: number, name?: string): Promise<InboxDelivery[]> {
  const rows = await db.query<DeliveryRow>(
    `SELECT delivery_id, name, headers, body, received_at FROM sandbox.inbox WHERE $1::text IS NULL OR name = $1
     ORDER BY delivery_id DESC LIMIT $2`,
    [name ?? null, limit],
  );
  return rows.map(({ delivery_id, received_at, ...row }) => ({
    ...row,
    id: Number(delivery_id),
    receivedAt: received_at,
  }));
}
