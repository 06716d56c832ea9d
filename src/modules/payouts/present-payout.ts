import { formatTimestamp } from '../../core/clock.ts';
import { toRubles } from '../../core/money.ts';
import type { Payout, PayoutStatus } from './payout.ts';

/** The statuses of the API. `sending` is internal: it lasts only while the provider is called. */
const WIRE_STATUS: Readonly<Record<PayoutStatus, string>> = {
  requested: 'requested',
  approved: 'approved',
  sending: 'approved',
  sent: 'sent',
  rejected: 'rejected',
  failed: 'failed',
};

export function presentPayout(payout: Payout) {
  const { status, closedAt, reference, reason } = payout;
  return {
    payout_id: payout.id,
    amount: toRubles(payout.amountKopecks),
    method: payout.method,
    status: WIRE_STATUS[status],
    created_at: formatTimestamp(payout.createdAt),
    ...(status === 'sent' && closedAt !== null ? { sent_at: formatTimestamp(closedAt) } : {}),
    ...(reference === null ? {} : { reference }),
    ...(reason === null ? {} : { reason }),
  };
}
