import type { Queryable, Transaction } from '../../core/database.ts';

/** A time in which updates of Telegram were lost. */
export interface UpdateLoss {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** A moment by the service's clock, which a sandbox moves, and by the machine's, which tells how long ago it was. */
export interface Moment {
  readonly at: Date;
  readonly machineAt: Date;
}

/** Notes that all updates up to this moment were fetched. Returns when that was noted last. */
export async function recordHeard(tx: Transaction, { at, machineAt }: Moment): Promise<Moment | undefined> {
  const before = await readHeard(tx);
  await tx.query(
    `INSERT INTO update_intake (caught_up_at, caught_up_machine_at) VALUES ($1, $2)
     ON CONFLICT (only_row) DO UPDATE SET caught_up_at = excluded.caught_up_at, caught_up_machine_at = excluded.caught_up_machine_at`,
    [at, machineAt],
  );
  return before;
}

export async function readHeard(db: Queryable): Promise<Moment | undefined> {
  const [row] = await db.query<{ caught_up_at: Date; caught_up_machine_at: Date }>(
    'SELECT caught_up_at, caught_up_machine_at FROM update_intake',
  );
  return row && { at: row.caught_up_at, machineAt: row.caught_up_machine_at };
}

export async function recordLoss(db: Queryable, { startedAt, endedAt }: UpdateLoss): Promise<void> {
  await db.query('INSERT INTO update_losses (started_at, ended_at) VALUES ($1, $2)', [startedAt, endedAt]);
}

/** The losses that ended after this time. */
export async function findLosses(db: Queryable, since: Date): Promise<UpdateLoss[]> {
  const rows = await db.query<{ started_at: Date; ended_at: Date }>(
    'SELECT started_at, ended_at FROM update_losses WHERE ended_at >= $1 ORDER BY ended_at LIMIT 1000',
    [since],
  );
  return rows.map((row) => ({ startedAt: row.started_at, endedAt: row.ended_at }));
}
