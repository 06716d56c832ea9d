import type { Database, Queryable } from '../core/database.ts';

export interface InboxDelivery {
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly receivedAt: Date;
}

interface DeliveryRow extends Omit<InboxDelivery, 'receivedAt'> {
  received_at: Date;
}

export async function insertDelivery(db: Queryable, delivery: InboxDelivery, keep: number): Promise<void> {
  const [row] = await db.query<{ delivery_id: bigint }>(
    'INSERT INTO sandbox.inbox (name, headers, body, received_at) VALUES ($1, $2, $3, $4) RETURNING delivery_id',
    [delivery.name, JSON.stringify(delivery.headers), delivery.body, delivery.receivedAt],
  );
  if (row) await db.query('DELETE FROM sandbox.inbox WHERE delivery_id <= $1', [row.delivery_id - BigInt(keep)]);
}

/** What arrived, newest last; under one name when it is given. */
export async function listDeliveries(db: Database, name: string | undefined, limit: number): Promise<InboxDelivery[]> {
  const rows = await db.query<DeliveryRow>(
    `SELECT name, headers, body, received_at FROM sandbox.inbox WHERE $1::text IS NULL OR name = $1
     ORDER BY delivery_id DESC LIMIT $2`,
    [name ?? null, limit],
  );
  return rows.map(({ received_at, ...row }) => ({ ...row, receivedAt: received_at })).reverse();
}
