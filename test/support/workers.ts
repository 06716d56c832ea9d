import { query } from './books.ts';

/**
 * Moves the sandbox's clock as POST /sandbox/clock does, and does not do what falls due then: that is left to the
 * workers, which is what a test of the workers is about.
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
