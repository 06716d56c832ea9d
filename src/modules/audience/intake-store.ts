import type { Queryable, Transaction } from '../../core/database.ts';

/** A period in which updates of Telegram were lost. */
export interface UpdateLoss {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** A time by the service's clock, which a sandbox can move, and by the machine's clock, which measures elapsed time. */
export interface Moment {
  readonly at: Date;
  readonly machineAt: Date;
}

/** Records that all updates up to this moment were fetched. Returns the previous record. */
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

/** Returns the losses that ended at this time or later. */
export async function findLosses(db: Queryable, since: Date): Promise<UpdateLoss[]> {
  const rows = await db.query<{ started_at: Date; ended_at: Date }>(
    'SELECT started_at, ended_at FROM update_losses WHERE ended_at >= $1 ORDER BY ended_at LIMIT 1000',
    [since],
  );
  return rows.map((row) => ({ startedAt: row.started_at, endedAt: row.ended_at }));
}
