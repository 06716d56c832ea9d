import type { Queryable } from '../../core/database.ts';

export interface CaughtMessage {
  readonly id: number;
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly receivedAt: Date;
}

/** What the catcher received last, newest first. */
export async function latestCaught(db: Queryable, limit: number): Promise<CaughtMessage[]> {
  const rows = await db.query<{
    delivery_id: bigint;
    name: string;
    headers: Record<string, unknown>;
    body: string;
    received_at: Date;
  }>('SELECT delivery_id, name, headers, body, received_at FROM sandbox.inbox ORDER BY delivery_id DESC LIMIT $1', [
    limit,
  ]);
  return rows.map(({ delivery_id, received_at, ...row }) => ({
    ...row,
    id: Number(delivery_id),
    receivedAt: received_at,
  }));
}
