import { formatTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { type LedgerAccount, latestTransfers } from '../../modules/ledger/index.ts';

const SHOWN_TRANSFERS = 40;

/** Returns the latest transfers, newest first. */
export async function describeTransfers(db: Database) {
  const transfers = await latestTransfers(db, SHOWN_TRANSFERS);
  return transfers.map((transfer) => ({
    id: transfer.id,
    at: formatTimestamp(transfer.createdAt),
    amount: toRubles(transfer.amountKopecks),
    from: nameOf(transfer.from),
    to: nameOf(transfer.to),
    key: transfer.key,
    kind: transfer.kind,
    user_id: transfer.userId,
  }));
}

const nameOf = ({ kind, ownerId }: LedgerAccount) => ({ kind, owner_id: ownerId });
