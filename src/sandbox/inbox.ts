import { type Clock, formatTimestamp } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { insertDelivery, latestDeliveries } from './inbox-store.ts';

const KEPT_DELIVERIES = 500;

export type Inbox = ReturnType<typeof createInbox>;

/** A webhook catcher: stores every request that is posted to it, headers included, for every process to read. */
export function createInbox({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return {
    record(name: string, headers: Readonly<Record<string, unknown>>, body: string): Promise<void> {
      // PostgreSQL's text cannot contain a zero byte, and the catcher must not fail on one.
      const text = body.replaceAll('\0', '\uFFFD');
      return insertDelivery(db, { name, headers, body: text, receivedAt: clock.now() }, KEPT_DELIVERIES);
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
