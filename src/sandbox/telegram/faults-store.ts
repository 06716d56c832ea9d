import type { Queryable, Transaction } from '../../core/database.ts';

type FaultMode = 'down' | 'too_many_requests' | 'slow' | 'garbage' | 'not_admin' | 'flood_limits';

export interface Fault {
  readonly id: bigint;
  readonly mode: FaultMode;
  /** In lower case: Telegram ignores the case of method names. */
  readonly method: string | null;
  readonly chatId: string | null;
  readonly counted: boolean;
  readonly delayMs: number;
  readonly retryAfterSeconds: number;
}

/** Every call scans the list, so its length is limited. */
const MAX_FAULTS = 100;

/** Returns the faults, newest first: the newest that applies wins. */
export function listFaults(db: Queryable): Promise<Fault[]> {
  return db.query<Fault>(
    `SELECT fault_id AS id, mode, method, chat_id AS "chatId", remaining IS NOT NULL AS counted, delay_ms AS "delayMs",
       retry_after AS "retryAfterSeconds" FROM sandbox.tg_faults ORDER BY fault_id DESC LIMIT $1`,
    [MAX_FAULTS],
  );
}

/** Uses one call of a counted fault. `used` is false when other calls used it up; the last use removes it. */
export async function useFault(tx: Transaction, id: bigint): Promise<{ used: boolean; last: boolean }> {
  const [left] = await tx.query<{ remaining: number }>(
    'UPDATE sandbox.tg_faults SET remaining = remaining - 1 WHERE fault_id = $1 AND remaining > 1 RETURNING remaining',
    [id],
  );
  if (left) return { used: true, last: false };
  const removed = await tx.query<{ fault_id: bigint }>(
    'DELETE FROM sandbox.tg_faults WHERE fault_id = $1 RETURNING fault_id',
    [id],
  );
  return { used: removed.length > 0, last: true };
}

export interface NewFault extends Omit<Fault, 'id' | 'counted'> {
  readonly count: number | null;
}

/** Replaces an equal fault, so that repeated tests do not accumulate them. */
export async function insertFault(tx: Transaction, fault: NewFault): Promise<void> {
  await tx.query(
    `DELETE FROM sandbox.tg_faults
     WHERE mode = $1 AND method IS NOT DISTINCT FROM $2 AND chat_id IS NOT DISTINCT FROM $3`,
    [fault.mode, fault.method, fault.chatId],
  );
  await tx.query(
    `INSERT INTO sandbox.tg_faults (mode, method, chat_id, remaining, delay_ms, retry_after)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [fault.mode, fault.method, fault.chatId, fault.count, fault.delayMs, fault.retryAfterSeconds],
  );
}

/** Clears all faults, or those set for exactly this method and/or chat. */
export async function clearFaults(tx: Transaction, method: string | null, chatId: string | null): Promise<void> {
  await tx.query(
    `DELETE FROM sandbox.tg_faults
     WHERE ($1::text IS NULL OR method = $1) AND ($2::text IS NULL OR chat_id = $2)`,
    [method, chatId],
  );
}
