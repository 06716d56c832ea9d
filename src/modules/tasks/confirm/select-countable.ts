import type { Transaction } from '../../../core/database.ts';
import type { ProgressOf } from '../../orders/index.ts';
import { capSources } from './cap-sources.ts';
import { type ConfirmedTask, ENDLESS, findSlots, type Room } from './find-slots.ts';
import { lockUsers, readCountedSince } from './user-limits-store.ts';

/** The confirms of a batch that can be counted, and those that cannot. */
export interface Selected {
  readonly countable: readonly ConfirmedTask[];
  /** The order has no slot or money left, or the source has brought its share of it. */
  readonly full: readonly ConfirmedTask[];
  /** The user was counted for the resource before, or has reached a limit. */
  readonly refused: readonly ConfirmedTask[];
}

/**
 * Selects the confirms that are counted. One after the other, so that a confirm takes its slot, its part of the source's
 * share and its place in the user's limit only if it has all three: an order that is full must not use up the limit of a
 * user, and a user beyond the limit must not use up a slot. Confirms with a reservation come first.
 */
export async function selectCountable(
  tx: Transaction,
  { reserved, late }: { readonly reserved: readonly ConfirmedTask[]; readonly late: readonly ConfirmedTask[] },
  progress: ProgressOf,
): Promise<Selected> {
  const candidates = [...reserved, ...late];
  const [slots, shares, limits] = await Promise.all([
    findSlots(tx, late, progress),
    capSources(tx, candidates),
    limitUsers(tx, candidates),
  ]);
  const pairs = new Set<string>();
  const countable: ConfirmedTask[] = [];
  const full: ConfirmedTask[] = [];
  const refused: ConfirmedTask[] = [];
  for (const item of candidates) {
    const pair = `${item.userId}:${item.task.resourceId}`;
    if (!slots.has(item) || !shares.has(item)) full.push(item);
    else if (pairs.has(pair) || !limits.has(item)) refused.push(item);
    else {
      pairs.add(pair);
      for (const room of [slots, shares, limits]) room.take(item);
      countable.push(item);
    }
  }
  return { countable, full, refused };
}

/** Confirms that other processes may have in flight for one user. */
const MOST_ELSEWHERE = 50;

/**
 * Reads what the limits of users near them leave, as of now: other confirms may have been counted since the request read
 * them. Requests that run at the same time read the same number, so the confirms in flight bring a user near the limit too.
 * The lock makes two processes count one after the other. Without a user near a limit it makes no query.
 */
async function limitUsers(tx: Transaction, confirms: readonly ConfirmedTask[]): Promise<Room> {
  const near = confirms.filter(({ countableLeft, inFlight }) => countableLeft - inFlight < MOST_ELSEWHERE);
  if (near.length === 0) return ENDLESS;
  await lockUsers(tx, [...new Set(near.map(({ userId }) => userId))]);
  const counts = await readCountedSince(
    tx,
    near.map(({ userId, readAt, task }) => ({ userId, readAt, resourceId: task.resourceId })),
  );
  const since = new Map(near.map((confirm, i) => [confirm, counts[i]]));
  const taken = new Map<number, number>();
  return {
    has(confirm) {
      const { count, isCounted } = since.get(confirm) ?? { count: 0, isCounted: false };
      // Refused here, because the insert would refuse it only after it has used up the limit.
      return !isCounted && count + (taken.get(confirm.userId) ?? 0) < confirm.countableLeft;
    },
    take: ({ userId }) => void taken.set(userId, (taken.get(userId) ?? 0) + 1),
  };
}
