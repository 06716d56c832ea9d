import type { Queryable, Transaction } from '../../core/database.ts';

/** A period in which updates of Telegram were lost. */
export interface UpdateLoss {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The checker bot whose updates were lost; null: the management bot. */
  readonly of: number | null;
}

/** A time by the service's clock, which a sandbox can move, and by the machine's clock, which measures elapsed time. */
export interface Moment {
  readonly at: Date;
  readonly machineAt: Date;
}

/** The bot whose updates are meant: a checker bot by its Telegram id; null: the management bot. */
type UpdatesOf = number | null;

/** Records that all updates of a bot up to this moment were fetched. Returns the previous record. */
export async function recordHeard(
  tx: Transaction,
  { at, machineAt }: Moment,
  of: UpdatesOf = null,
): Promise<Moment | undefined> {
  const before = (await readHeard(tx)).get(of);
  if (of !== null) {
    await tx.query(
      `INSERT INTO checker_intake (bot_id, caught_up_at, caught_up_machine_at) VALUES ($1, $2, $3)
       ON CONFLICT (bot_id) DO UPDATE SET caught_up_at = excluded.caught_up_at, caught_up_machine_at = excluded.caught_up_machine_at`,
      [of, at, machineAt],
    );
    return before;
  }
  await tx.query(
    `INSERT INTO update_intake (caught_up_at, caught_up_machine_at) VALUES ($1, $2)
     ON CONFLICT (only_row) DO UPDATE SET caught_up_at = excluded.caught_up_at, caught_up_machine_at = excluded.caught_up_machine_at`,
    [at, machineAt],
  );
  return before;
}

/** Returns by bot when its updates were last fetched. */
export async function readHeard(db: Queryable): Promise<Map<UpdatesOf, Moment>> {
  const rows = await db.query<Moment & { readonly of: UpdatesOf }>(
    `SELECT NULL::float8 AS "of", caught_up_at AS at, caught_up_machine_at AS "machineAt" FROM update_intake
     UNION ALL SELECT bot_id::float8, caught_up_at, caught_up_machine_at FROM checker_intake`,
  );
  return new Map(rows.map(({ of, ...moment }) => [of, moment]));
}

export async function recordLoss(
  db: Queryable,
  { startedAt, endedAt }: Omit<UpdateLoss, 'of'>,
  of: UpdatesOf = null,
): Promise<void> {
  await db.query('INSERT INTO update_losses (started_at, ended_at, bot_id) VALUES ($1, $2, $3)', [
    startedAt,
    endedAt,
    of,
  ]);
}

/** Returns the losses that ended at this time or later. */
export async function findLosses(db: Queryable, since: Date): Promise<UpdateLoss[]> {
  return db.query<UpdateLoss>(
    `SELECT started_at AS "startedAt", ended_at AS "endedAt", bot_id::float8 AS "of" FROM update_losses
     WHERE ended_at >= $1 ORDER BY ended_at LIMIT 1000`,
    [since],
  );
}
