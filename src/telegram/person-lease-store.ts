import type { Queryable } from '../core/database.ts';

export interface Turn {
  readonly telegramUserId: number;
  /** Who has it; nobody else can lengthen or end it. */
  readonly holder: string;
}

/** Answers whether the turn is the holder's now: nobody had it, or whoever had it let the lease run out. */
export async function claimTurn(db: Queryable, { telegramUserId, holder }: Turn, leaseMs: number): Promise<boolean> {
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

export async function renewTurn(db: Queryable, { telegramUserId, holder }: Turn, leaseMs: number): Promise<void> {
  await db.query(
    `UPDATE user_update_leases SET lease_until = clock_timestamp() + make_interval(secs => $3)
     WHERE telegram_user_id = $1 AND holder = $2`,
    [telegramUserId, holder, leaseMs / 1000],
  );
}

export async function endTurn(db: Queryable, { telegramUserId, holder }: Turn): Promise<void> {
  await db.query('DELETE FROM user_update_leases WHERE telegram_user_id = $1 AND holder = $2', [telegramUserId, holder]);
}
