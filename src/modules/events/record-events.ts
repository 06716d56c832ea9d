import type { Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { parseRubles } from '../../core/money.ts';
import { type NewNotice, recordNotices } from '../notices/index.ts';
import { newEventId } from './event-id.ts';
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

/**
 * Returns the notices of an event. Confirmed subscriptions and those that were never credited cause no notice, because
 * there are too many of them.
 */
function noticesOf({ accountId, type, data }: NewEvent): readonly NewNotice[] {
  switch (type) {
    case 'subscription.confirmed':
    case 'subscription.rejected':
      return [];
    case 'subscription.reversed':
      // The advertiser loses nothing.
      if (data.role === 'advertiser') return [];
      return [{ accountId, kind: 'subscriptions_reversed', data: { count: 1, amount: kopecks(data.amount) } }];
    case 'order.completed': {
      const { order_id, name, subscribers, spent } = data;
      return [{ accountId, kind: 'order_completed', data: { order_id, name, subscribers, spent: kopecks(spent) } }];
    }
    case 'payout.sent': {
      const { payout_id, amount, reference } = data;
      return [
        { accountId, kind: 'payout_sent', data: { payout_id, amount: kopecks(amount), reference: reference ?? '' } },
      ];
    }
    case 'contest.completed': {
      const { name, rank, subscriptions, prize } = data;
      return [{ accountId, kind: 'contest_result', data: { name, rank, score: subscriptions, prize: kopecks(prize) } }];
    }
  }
}

function kopecks(rubles: number): string {
  const amount = parseRubles(rubles);
  assert(amount !== undefined, 'an event carries whole kopecks');
  return String(amount);
}
