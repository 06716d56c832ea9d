import { addSeconds, SECOND_MS } from '../../../core/clock.ts';
import type { Kopecks } from '../../../core/money.ts';
import type { Membership, Moment, UpdateLoss } from '../../audience/index.ts';
import type { Resource } from '../../orders/index.ts';
import type { UserLimits } from '../../quality/index.ts';
import { isDone, isReserved, type Task } from '../task.ts';

/** The fields of a task that decide its confirm. */
export type ConfirmTerms = Pick<Task, 'state' | 'rewardKopecks' | 'holdSeconds'>;

/** The outcome of a confirm. A closed union, so that presenters must handle every case. */
export type ConfirmOutcome =
  | { readonly kind: 'counted'; readonly rewardKopecks: Kopecks; readonly inHold: boolean }
  /** Counted if the advertiser's side approves; the reward waits in hold. */
  | { readonly kind: 'pending'; readonly rewardKopecks: Kopecks }
  | { readonly kind: 'not_counted' }
  /** Confirmed without a reservation, and the order has no slot or no money left for it. */
  | { readonly kind: 'order_full' }
  | { readonly kind: 'not_subscribed' }
  | { readonly kind: 'not_shown' }
  | { readonly kind: 'banned' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'order_not_found' };

/** Returns the outcome that needs no membership check, or `check`. */
export function decideBeforeCheck(
  task: ConfirmTerms | undefined,
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

/** The subscriptions of a user that any bot counted, and whether the user came late to a shared device. */
export interface UserUse {
  readonly lastHour: number;
  readonly lastDay: number;
  readonly isBeyondDevice: boolean;
}

/** Returns how many more subscriptions of the user may be counted now. */
export function countableLeft(use: UserUse | undefined, { perHour, perDay }: UserLimits): number {
  if (use === undefined) return Number.POSITIVE_INFINITY;
  if (use.isBeyondDevice) return 0;
  const left = (limit: number, used: number): number => (limit === 0 ? Number.POSITIVE_INFINITY : limit - used);
  return Math.max(0, Math.min(left(perHour, use.lastHour), left(perDay, use.lastDay)));
}

/** The decision about a task whose user is a member, under the lock. */
export type MemberDecision = 'count' | 'count_if_room' | 'refuse' | 'keep';

/** `isOver`: the task can no longer be confirmed, whether it is reserved or not. */
export function decideForMember(
  task: ConfirmTerms & Pick<Task, 'expiresAt'>,
  {
    wasMemberBefore,
    isSelfDealing,
    isOver,
    now,
  }: { wasMemberBefore: boolean; isSelfDealing: boolean; isOver: boolean; now: Date },
): MemberDecision {
  if (task.state === 'reversed') return 'refuse';
  if (isDone(task) || isOver) return 'keep';
  if (wasMemberBefore || isSelfDealing) return 'refuse';
  return isReserved(task, now) ? 'count' : 'count_if_room';
}

/**
 * A repeated confirm returns the first outcome, even when the reward has changed since. Without a hold, a reward is held
 * only until its join has a date.
 */
export function countedOutcome({ state, rewardKopecks, holdSeconds }: ConfirmTerms): ConfirmOutcome {
  return { kind: 'counted', rewardKopecks, inHold: holdSeconds > 0 || state === 'held' };
}

/** Returns the outcome of a task that the confirm does not change. */
export function outcomeOf(task: ConfirmTerms | undefined): ConfirmOutcome {
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

type Showing = Pick<Task, 'shownAt' | 'wasOutside'>;

/** Whether a task was first shown when its user had been led to the human check, or by the same request. */
export function isShownAfter(checkRequestedAt: Date | undefined, { shownAt }: Pick<Task, 'shownAt'>): boolean {
  return checkRequestedAt !== undefined && checkRequestedAt <= shownAt;
}

/**
 * When the user joined: `after` the showing is paid, `before` it is not. `unknown`: no check ran at the showing, and no
 * update has reported the join yet.
 */
export type JoinDate = 'after' | 'before' | 'unknown';

export function dateJoin(
  { shownAt, wasOutside }: Showing,
  { type }: Pick<Resource, 'type'>,
  known: Pick<Membership, 'firstMemberAt' | 'joinedAt'> | undefined,
): JoinDate {
  const firstMemberAt = known?.firstMemberAt ?? null;
  if (firstMemberAt !== null && firstMemberAt < shownAt) return 'before';
  // No update reports who starts another bot, but its task is shown only after a check. A failed check must not cost the user.
  if (type === 'bot' || wasOutside) return 'after';
  const joinedAt = known?.joinedAt ?? null;
  return joinedAt !== null && joinedAt >= shownAt ? 'after' : 'unknown';
}

/** How well Telegram's updates reach us. */
export interface UpdateIntake {
  /** The last successful fetch. */
  readonly lastFetch: Moment | undefined;
  readonly losses: readonly Pick<UpdateLoss, 'startedAt' | 'endedAt'>[];
}

/** After a longer pause, updates may be waiting in Telegram's queue. */
const MAX_PAUSE_SECONDS = 120;

/** Whether all of Telegram's updates have been fetched. */
export function isUpToDate({ lastFetch }: UpdateIntake, machineNow: Date): boolean {
  return (
    lastFetch !== undefined && machineNow.getTime() - lastFetch.machineAt.getTime() <= MAX_PAUSE_SECONDS * SECOND_MS
  );
}

/** Whether the update of the user's join may be among lost updates. */
export function mayHaveLostJoin(
  { shownAt, windowEndsAt }: Pick<Task, 'shownAt' | 'windowEndsAt'>,
  { losses }: UpdateIntake,
): boolean {
  const until = windowEndsAt ?? addSeconds(shownAt, 0);
  return losses.some(({ startedAt, endedAt }) => endedAt >= shownAt && startedAt <= until);
}
