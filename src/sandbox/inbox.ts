import { type Clock, formatTimestamp } from '../core/clock.ts';
import type { Database, Queryable } from '../core/database.ts';

const KEPT_DELIVERIES = 500;

export interface InboxDelivery {
  readonly id: number;
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly receivedAt: Date;
}

export type Inbox = ReturnType<typeof createInbox>;

/** A webhook catcher: stores every request that is posted to it, headers included, for every process to read. */
export function createInbox({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return {
    async record(name: string, headers: Readonly<Record<string, unknown>>, body: string): Promise<void> {
      const [row] = await db.query<{ id: bigint }>(
        `INSERT INTO sandbox.inbox (name, headers, body, received_at) VALUES ($1, $2, $3, $4)
         RETURNING delivery_id AS id`,
        // PostgreSQL's text cannot contain a zero byte, and the catcher must not fail on one.
        [name, JSON.stringify(headers), body.replaceAll('\0', '\uFFFD'), clock.now()],
      );
      if (row) await db.query('DELETE FROM sandbox.inbox WHERE delivery_id <= $1', [row.id - BigInt(KEPT_DELIVERIES)]);
    },
    async list(name?: string) {
      const deliveries = await latestDeliveries(db, KEPT_DELIVERIES, name);
      return deliveries.reverse().map(({ id: _, receivedAt, ...delivery }) => ({
        ...delivery,
        received_at: formatTimestamp(receivedAt),
      }));
    },
  };
}

/** Returns the newest deliveries, newest first; only those under `name` when it is given. */
export function latestDeliveries(db: Queryable, limit: number, name?: string): Promise<InboxDelivery[]> {
  return db.query<InboxDelivery>(
    `SELECT delivery_id::float8 AS id, name, headers, body, received_at AS "receivedAt" FROM sandbox.inbox
     WHERE $1::text IS NULL OR name = $1 ORDER BY delivery_id DESC LIMIT $2`,
    [name ?? null, limit],
  );
}
