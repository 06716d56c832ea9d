import type { Queryable } from '../core/database.ts';

/** Adds the jobs that the table does not have yet. They are due at once. */
export async function addJobs(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query('INSERT INTO jobs (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [names]);
}

/**
 * Leases the due jobs out of `names` and returns their names. Other processes cannot lease them until the lease ends.
 */
export async function leaseDueJobs(
  db: Queryable,
  { names, leaseId, leaseSeconds }: { names: readonly string[]; leaseId: string; leaseSeconds: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE jobs SET lease_id = $2, leased_until = now() + make_interval(secs => $3)
     WHERE name = ANY ($1) AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
     RETURNING name`,
    [names, leaseId, leaseSeconds],
  );
  return rows.map(({ name }) => name);
}

/** Extends the leases and returns the names whose lease this process still holds. */
export async function extendLeases(
  db: Queryable,
  { names, leaseId, leaseSeconds }: { names: readonly string[]; leaseId: string; leaseSeconds: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE jobs SET leased_until = now() + make_interval(secs => $3)
     WHERE name = ANY ($1) AND lease_id = $2
     RETURNING name`,
    [names, leaseId, leaseSeconds],
  );
  return rows.map(({ name }) => name);
}

/** Ends a lease and makes the job due again after a pause. Does nothing if another process holds the lease. */
export async function releaseJob(
  db: Queryable,
  { name, leaseId, pauseSeconds }: { name: string; leaseId: string; pauseSeconds: number },
): Promise<void> {
  await db.query(
    `UPDATE jobs SET lease_id = NULL, leased_until = NULL, due_at = now() + make_interval(secs => $3)
     WHERE name = $1 AND lease_id = $2`,
    [name, leaseId, pauseSeconds],
  );
}
