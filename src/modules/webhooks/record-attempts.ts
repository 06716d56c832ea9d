import type { Database } from '../../core/database.ts';
import { type Attempt, type Health, insertAttempts, moveDeliveries, saveHealth } from './attempt-store.ts';
import { failPending } from './endpoint-store.ts';
import { DISABLE_AFTER_MS, isGone, isSuccess, nextStep } from './retry.ts';

/**
 * Stores attempts in one transaction: the log, the next state of each delivery and the health of the endpoints. Returns
 * how many endpoints were disabled.
 */
export async function recordAttempts(
  { db, random }: { readonly db: Database; readonly random: () => number },
  attempts: readonly Attempt[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const disabled = await saveHealth(tx, healthOf(attempts), {
      at: now,
      disableIfFailingSince: new Date(now.getTime() - DISABLE_AFTER_MS),
    });
    await moveDeliveries(
      tx,
      attempts.map(({ delivery, result }) => ({
        delivery,
        next: nextStep(result, delivery.failures, now, random()),
      })),
      now,
    );
    await insertAttempts(tx, attempts);
    await failPending(tx, disabled);
    return disabled.length;
  });
}

/** Expects the attempts in the order in which they ended. */
export function healthOf(attempts: readonly Attempt[]): Health[] {
  const healths = new Map<number, Health>();
  for (const { delivery, result, attemptedAt } of attempts) {
    const { endpointId } = delivery;
    const before = healths.get(endpointId) ?? { endpointId, succeeded: false, failingSince: null, gone: false };
    healths.set(
      endpointId,
      isSuccess(result)
        ? { ...before, succeeded: true, failingSince: null }
        : { ...before, failingSince: before.failingSince ?? attemptedAt, gone: before.gone || isGone(result) },
    );
  }
  return [...healths.values()].sort((a, b) => a.endpointId - b.endpointId);
}
