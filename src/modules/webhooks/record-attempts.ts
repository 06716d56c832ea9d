import type { Database } from '../../core/database.ts';
import { type AttemptRow, type Health, insertAttempts, moveDeliveries, saveHealth } from './outcome-store.ts';
import { DISABLE_AFTER_MS, isGone, isSuccess, nextStep } from './retry.ts';
import { failPending } from './store.ts';

/**
 * Writes down what came of attempts, many in one transaction: the log, what happens next with each delivery, and how the
 * receivers are. Answers how many receivers were disabled.
 */
export async function recordAttempts(
  { db, random }: { readonly db: Database; readonly random: () => number },
  attempts: readonly AttemptRow[],
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

/** The attempts stand in the order in which they ended. */
export function healthOf(attempts: readonly AttemptRow[]): Health[] {
  const healths = new Map<number, Health>();
  for (const { delivery, result, attemptedAt } of attempts) {
    const { webhookId } = delivery;
    const before = healths.get(webhookId) ?? { webhookId, succeeded: false, failingSince: null, gone: false };
    healths.set(
      webhookId,
      isSuccess(result)
        ? { ...before, succeeded: true, failingSince: null }
        : { ...before, failingSince: before.failingSince ?? attemptedAt, gone: before.gone || isGone(result) },
    );
  }
  return [...healths.values()].sort((a, b) => a.webhookId - b.webhookId);
}
