import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { newEventId } from './event-id.ts';
import { noticesOf } from './notices-of.ts';
import { type NewEvent, TEST_EVENT_TYPE } from './registry.ts';
import { insertEvents } from './store.ts';

/**
 * Records what happened, in the transaction in which it happened: rolled back with it, and told for certain once it is
 * committed, to webhooks and in the management bot. Call it once, as the last write of the transaction: it locks a row
 * per account that wants to be told, and the rows are held until the commit.
 */
export async function recordEvents(tx: Transaction, events: readonly NewEvent[], at: Date): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(
    tx,
    events.map(({ accountId, type, data }, index) => ({
      id: newEventId(at, index),
      accountId,
      type,
      data: JSON.stringify(data),
    })),
    at,
  );
  await recordNotices(tx, events.flatMap(noticesOf), at);
}

/** A test event for one endpoint. Answers its id, or nothing when the account has no such endpoint. */
export async function recordTestEvent(
  tx: Transaction,
  { accountId, endpointId, at }: { accountId: number; endpointId: number; at: Date },
): Promise<string | undefined> {
  const id = newEventId(at, 0);
  const data = { webhook_id: endpointId, message: 'This is a test event. Nothing happened.' };
  const event = { id, accountId, type: TEST_EVENT_TYPE, data: JSON.stringify(data) };
  return (await insertEvents(tx, [event], at, endpointId)) > 0 ? id : undefined;
}
