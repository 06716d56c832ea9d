import { assert } from '../../core/errors.ts';
import { parseRubles } from '../../core/money.ts';
import type { NewNotice } from '../notices/index.ts';
import type { NewEvent } from './registry.ts';

/**
 * Returns the notices of an event. Confirmed subscriptions and those that were never credited cause no notice, because
 * there are too many of them.
 */
export function noticesOf({ accountId, type, data }: NewEvent): readonly NewNotice[] {
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
