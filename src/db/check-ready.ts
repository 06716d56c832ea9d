import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type Queryable } from '../core/database.ts';

/** Shorter than the timeouts of the callers: a load balancer and Docker's health check. */
const TIMEOUT_MS = 3_000;

/** Throws unless the database replies in time and accepts writes. A standby does not accept writes. */
export async function checkReady(db: Queryable): Promise<void> {
  const timer = new AbortController();
  const asked = db.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
  const late = sleep(TIMEOUT_MS, undefined, { signal: timer.signal });
  late.catch(() => undefined);
  asked.catch(() => undefined); // may fail long after the timeout
  try {
    const rows = await Promise.race([asked, late]);
    if (rows === undefined) throw new DatabaseUnavailable(`database: no answer within ${TIMEOUT_MS} ms`);
    if (rows[0]?.is_standby !== false) throw new DatabaseUnavailable('database: it is a standby and takes no writes');
  } finally {
    timer.abort();
  }
}
