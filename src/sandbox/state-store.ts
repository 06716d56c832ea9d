import type { Queryable, Transaction } from '../core/database.ts';

export async function readClockOffset(db: Queryable): Promise<number> {
  const [row] = await db.query<{ clock_offset_ms: bigint }>('SELECT clock_offset_ms FROM sandbox.state');
  return Number(row?.clock_offset_ms ?? 0);
}

export async function addClockOffset(tx: Transaction, milliseconds: number): Promise<number> {
  const [row] = await tx.query<{ clock_offset_ms: bigint }>(
    'UPDATE sandbox.state SET clock_offset_ms = clock_offset_ms + $1 RETURNING clock_offset_ms',
    [milliseconds],
  );
  return Number(row?.clock_offset_ms);
}

export async function clearClockOffset(tx: Transaction): Promise<void> {
  await tx.query('UPDATE sandbox.state SET clock_offset_ms = 0');
}

/** Waits for the lock, so that one of several processes that start at once creates the demo data. */
export async function lockSeeding(tx: Transaction): Promise<{ isSeeded: boolean }> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('sponsorgate sandbox seeding'))");
  const [row] = await tx.query<{ is_seeded: boolean }>('SELECT is_seeded FROM sandbox.state');
  return { isSeeded: row?.is_seeded ?? false };
}

export async function setSeeded(db: Queryable, isSeeded: boolean): Promise<void> {
  await db.query('UPDATE sandbox.state SET is_seeded = $1', [isSeeded]);
}

/** Stops all jobs. They would act on demo data that is not complete. */
export async function stopJobs(db: Queryable): Promise<void> {
  await db.query("UPDATE jobs SET due_at = 'infinity'");
}

/** Makes the stopped jobs due. */
export async function resumeJobs(db: Queryable): Promise<void> {
  await db.query("UPDATE jobs SET due_at = now() WHERE due_at = 'infinity'");
}

export async function emptyServiceTables(tx: Transaction): Promise<void> {
  await tx.query('SELECT sandbox.empty_service_tables()');
}

export async function readSecretKey(db: Queryable): Promise<string> {
  const [row] = await db.query<{ secret_key: string }>('SELECT secret_key FROM sandbox.state');
  if (row === undefined) throw new Error('the table sandbox.state is empty');
  return row.secret_key;
}

/** Makes a user suspicious by a signal, or not with a strength of 0. The next scoring deletes it, as any other signal. */
export async function setSignal(
  db: Queryable,
  { userId, strength, at }: { readonly userId: number; readonly strength: number; readonly at: Date },
): Promise<void> {
  if (strength === 0) {
    await db.query('DELETE FROM user_signals WHERE user_id = $1', [userId]);
    return;
  }
  await db.query(
    `INSERT INTO user_signals (user_id, signal, strength, figures, source, observed_at)
     VALUES ($1, 'generated_name', $2, '{}', 'sandbox', $3)
     ON CONFLICT (user_id, signal) DO UPDATE SET strength = excluded.strength, observed_at = excluded.observed_at`,
    [userId, strength, at],
  );
}
