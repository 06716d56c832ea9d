import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { newEventId } from './event-id.ts';
import { noticesOf } from './notices-of.ts';
import { type NewEvent, TEST_EVENT_TYPE } from './registry.ts';
import { insertEvents } from './store.ts';

/**
 * Records events and their notices in the transaction that caused them, so that both commit or roll back together. Call
 * it once, as the last write of the transaction: it locks one row per account with an endpoint until the commit.
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

/** Records a test event for one endpoint. Returns its id, or `undefined` when the account has no such endpoint. */
export async function recordTestEvent(
  tx: Transaction,
  { accountId, endpointId, at }: { accountId: number; endpointId: number; at: Date },
): Promise<string | undefined> {
  const id = newEventId(at, 0);
  const data = { webhook_id: endpointId, message: 'This is a test event. Nothing happened.' };
  const event = { id, accountId, type: TEST_EVENT_TYPE, data: JSON.stringify(data) };
  return (await insertEvents(tx, [event], at, endpointId)) > 0 ? id : undefined;
}
