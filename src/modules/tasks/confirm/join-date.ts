import { addSeconds, SECOND_MS } from '../../../core/clock.ts';
import type { Membership, Moment, UpdateLoss } from '../../audience/index.ts';
import type { Resource } from '../../orders/index.ts';
import type { Task } from '../task.ts';

type Showing = Pick<Task, 'shownAt' | 'wasOutside'>;

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
  readonly losses: readonly UpdateLoss[];
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
