import type { Task } from './task.ts';

/** An open task, shown at noon with an expiry an hour later, for unit tests. A test can override any field. */
export const NOON = new Date('2026-05-10T12:00:00Z');
export const minutesLater = (minutes: number): Date => new Date(NOON.getTime() + minutes * 60_000);

export function taskWith(changes: Partial<Task> = {}): Task {
  return {
    userId: 7,
    botId: 3,
    orderId: 11,
    accountId: 2,
    resourceId: 5,
    round: 1,
    position: 0,
    state: 'shown',
    chargeKopecks: 1000n,
    rewardKopecks: 700n,
    holdSeconds: 86_400,
    refund: true,
    shownAt: NOON,
    lateUntil: null,
    wasOutside: true,
    expiresAt: minutesLater(60),
    confirmedAt: null,
    releaseAt: null,
    windowEndsAt: null,
    keptAt: null,
    ...changes,
  };
}
