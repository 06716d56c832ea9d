import { query } from './books.ts';

/**
 * Moves the sandbox's clock like POST /sandbox/clock, but without doing the work that becomes due. Tests of the workers
 * leave that work to the workers.
 */
export async function moveClock(databaseUrl: string, seconds: number): Promise<void> {
  await query(
    databaseUrl,
    `WITH moved AS (UPDATE sandbox.state SET clock_offset_ms = clock_offset_ms + $1 RETURNING clock_offset_ms)
     SELECT pg_notify('sandbox_clock', clock_offset_ms::text) FROM moved`,
    [seconds * 1000],
  );
}

/** Makes a job due now. */
export async function tick(databaseUrl: string, job: 'settle-tasks' | 'expire-tasks' | 'verify-ledger'): Promise<void> {
  await query(databaseUrl, 'UPDATE jobs SET due_at = now() WHERE name = $1', [job]);
}
