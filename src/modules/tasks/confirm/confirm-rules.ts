import type { Kopecks } from '../../../core/money.ts';
import { isDone, isReserved, type Task } from '../task.ts';

/** As much of a task as its confirm depends on. */
export type Standing = Pick<Task, 'state' | 'rewardKopecks' | 'holdSeconds'>;

/** What a confirm came to. Closed, so that every way to present it must handle every case. */
export type ConfirmOutcome =
  | { readonly kind: 'counted'; readonly rewardKopecks: Kopecks; readonly inHold: boolean }
  /** Counted if the advertiser's side agrees; the reward waits in hold. */
  | { readonly kind: 'pending'; readonly rewardKopecks: Kopecks }
  | { readonly kind: 'not_counted' }
  /** Confirmed without a reservation, and the order has no slot or no money left for it. */
  | { readonly kind: 'order_full' }
  | { readonly kind: 'not_subscribed' }
  | { readonly kind: 'not_shown' }
  | { readonly kind: 'banned' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'order_not_found' };

/** What is known before Telegram is asked: either the answer, or that it has to be asked. */
export function decideBeforeCheck(
  task: Standing | undefined,
  { isBanned, isOver }: { isBanned: boolean; isOver: boolean },
): ConfirmOutcome | 'check' {
  if (isBanned) return { kind: 'banned' };
  if (task === undefined) return { kind: 'not_shown' };
  switch (task.state) {
    case 'pending':
    case 'held':
    case 'paid':
    case 'settled':
    case 'rejected':
      return outcomeOf(task);
    case 'reversed':
    case 'notgetted':
      return 'check';
    case 'shown':
    case 'unreserved':
    case 'expired':
      return isOver ? { kind: 'not_shown' } : 'check';
  }
}

/** What to do with a task whose user is a member, as it stands under the lock. */
export type MemberDecision = 'count' | 'count_if_room' | 'refuse' | 'keep';

/** `isOver`: the time in which the task could be confirmed has passed, reserved or not. */
export function decideForMember(
  task: Standing & Pick<Task, 'expiresAt'>,
  { wasMemberBefore, isOver, now }: { wasMemberBefore: boolean; isOver: boolean; now: Date },
): MemberDecision {
  if (task.state === 'reversed') return 'refuse';
  if (isDone(task) || isOver) return 'keep';
  if (wasMemberBefore) return 'refuse';
  return isReserved(task, now) ? 'count' : 'count_if_room';
}

/**
 * A repeat gets the answer of the first time, whatever has become of the reward since. Without a hold a reward is held
 * only until its join is dated.
 */
export function countedOutcome({ state, rewardKopecks, holdSeconds }: Standing): ConfirmOutcome {
  return { kind: 'counted', rewardKopecks, inHold: holdSeconds > 0 || state === 'held' };
}

/** The answer for a task that the confirm left as it found it. */
export function outcomeOf(task: Standing | undefined): ConfirmOutcome {
  switch (task?.state) {
    case 'pending':
      return { kind: 'pending', rewardKopecks: task.rewardKopecks };
    case 'held':
    case 'paid':
    case 'settled':
      return countedOutcome(task);
    case 'reversed':
    case 'rejected':
    case 'notgetted':
      return { kind: 'not_counted' };
    case 'shown':
    case 'unreserved':
    case 'expired':
    case undefined:
      return { kind: 'not_shown' };
  }
}
