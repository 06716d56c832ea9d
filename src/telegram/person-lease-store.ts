import type { Queryable } from '../core/database.ts';

export interface Lease {
  readonly telegramUserId: number;
  /** Only the holder can renew or end the lease. */
  readonly holder: string;
}

/** Claims a free or expired lease. Returns whether the holder has it now. */
export async function claimLease(db: Queryable, { telegramUserId, holder }: Lease, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO user_update_leases AS t (telegram_user_id, holder, lease_until)
     VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (telegram_user_id) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
     WHERE t.lease_until <= clock_timestamp()
     RETURNING telegram_user_id`,
    [telegramUserId, holder, leaseMs / 1000],
  );
  return rows.length > 0;
}

export async function renewLease(db: Queryable, { telegramUserId, holder }: Lease, leaseMs: number): Promise<void> {
  await db.query(
    `UPDATE user_update_leases SET lease_until = clock_timestamp() + make_interval(secs => $3)
     WHERE telegram_user_id = $1 AND holder = $2`,
    [telegramUserId, holder, leaseMs / 1000],
  );
}

export async function endLease(db: Queryable, { telegramUserId, holder }: Lease): Promise<void> {
  await db.query('DELETE FROM user_update_leases WHERE telegram_user_id = $1 AND holder = $2', [
    telegramUserId,
    holder,
  ]);
}
