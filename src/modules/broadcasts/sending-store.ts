import type { Queryable } from '../../core/database.ts';
import type { Language } from '../../core/locale.ts';

/** A broadcast that one sender has leased. */
export interface Sending {
  readonly id: number;
  readonly sender: string;
  readonly texts: Readonly<Record<Language, string>>;
  readonly createdAt: Date;
  readonly lastAccountId: number;
  /** Failed attempts for the account after `lastAccountId`. */
  readonly attempts: number;
}

/** Leases the oldest unfinished broadcast that no other sender holds. */
export async function claimBroadcast(
  db: Queryable,
  { sender, now, leaseUntil }: { sender: string; now: Date; leaseUntil: Date },
): Promise<Sending | undefined> {
  const [row] = await db.query<{
    id: bigint;
    text_ru: string;
    text_en: string;
    created_at: Date;
    last_account_id: bigint;
    attempts: number;
  }>(
    `UPDATE broadcasts SET sender = $1, lease_until = $3
     WHERE id = (SELECT id FROM broadcasts
                 WHERE finished_at IS NULL AND cancelled_at IS NULL AND coalesce(not_before, $2) <= $2
                   AND coalesce(lease_until, $2) <= $2
                 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, text_ru, text_en, created_at, last_account_id, attempts`,
    [sender, now, leaseUntil],
  );
  return (
    row && {
      id: Number(row.id),
      sender,
      texts: { ru: row.text_ru, en: row.text_en },
      createdAt: row.created_at,
      lastAccountId: Number(row.last_account_id),
      attempts: row.attempts,
    }
  );
}

type Held = Pick<Sending, 'id' | 'sender'>;

/**
 * Records one message. Returns whether the sender may continue: `false` when another sender holds the lease or an
 * operator stopped the broadcast.
 */
export async function recordPosted(
  db: Queryable,
  { id, sender }: Held,
  posted: { accountId: number; isSent: boolean; leaseUntil: Date },
): Promise<boolean> {
  const [row] = await db.query<{ goes_on: boolean }>(
    `UPDATE broadcasts SET last_account_id = $3, sent = sent + $4, failed = failed + $5, attempts = 0, lease_until = $6
     WHERE id = $1 AND sender = $2 RETURNING cancelled_at IS NULL AS goes_on`,
    [id, sender, posted.accountId, posted.isSent ? 1 : 0, posted.isSent ? 0 : 1, posted.leaseUntil],
  );
  return row?.goes_on ?? false;
}

/** Releases the broadcast; it continues after `until`. `attempts` counts the failures for the next account. */
export async function putOff(
  db: Queryable,
  { id, sender }: Held,
  { until, attempts }: { until: Date; attempts: number },
): Promise<void> {
  await db.query(
    `UPDATE broadcasts SET sender = NULL, lease_until = NULL, not_before = $3, attempts = $4
     WHERE id = $1 AND sender = $2`,
    [id, sender, until, attempts],
  );
}

export async function saveFinished(db: Queryable, { id, sender }: Held, at: Date): Promise<void> {
  await db.query(
    `UPDATE broadcasts SET finished_at = $3, sender = NULL, lease_until = NULL
     WHERE id = $1 AND sender = $2 AND cancelled_at IS NULL`,
    [id, sender, at],
  );
}
