import { type Clock, formatTimestamp } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { insertDelivery, listDeliveries } from './inbox-store.ts';

const KEPT_DELIVERIES = 500;

interface CaughtDelivery {
  readonly name: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly received_at: string;
}

/** A webhook catcher: whatever is posted to it can be read back, headers included, by any process. */
export interface Inbox {
  record(name: string, headers: Readonly<Record<string, unknown>>, body: string): Promise<void>;
  list(name?: string): Promise<CaughtDelivery[]>;
}

export function createInbox({ db, clock }: { readonly db: Database; readonly clock: Clock }): Inbox {
  return {
    record(name, headers, body) {
      // PostgreSQL's text cannot hold a zero byte, and a catcher must not fail on one.
      const text = body.replaceAll('\0', '\uFFFD');
      return insertDelivery(db, { name, headers, body: text, receivedAt: clock.now() }, KEPT_DELIVERIES);
    },
    async list(name) {
      const deliveries = await listDeliveries(db, name, KEPT_DELIVERIES);
      return deliveries.map(({ receivedAt, ...delivery }) => ({
        ...delivery,
        received_at: formatTimestamp(receivedAt),
      }));
    },
  };
}
